import { ApplicationState } from '../../../api/states';
import { governed, type Context, type Observation, type Settings } from './decision';
import { asSubmissionError } from './spark-submit-outcome';
import { gaveUp } from '../../../model/cause/obstacle-text';
import { shortMessage } from '../../../model/cause/status-cause';
import { retriesSubmissions } from '../../../model/restart-policy';
import { stateOf, type SparkApplication } from '../../../model/spark-application';
import { failing, type Step } from './step';
import { sameButForNumbers, type SubmissionFailure } from '../../driver/submission-failure';
import { hasMessage, reports, startObstacle } from '../../driver/start-obstacle';
import { leastOf, pauseAfter } from '../../driver/pauses';
import type { PodView } from '../../../model/pod-view';
import { untilReading } from '../../driver/preparation';
import { startDeadline, withStartDeadline, type StartDeadline } from '../../driver/start-deadline';
import { normal, warning, type UserEvent } from '../../user-event';
import { rfc3339 } from '../../../text/times';

/**
 * Retries the creation of a driver until the deadline, unless a retry cannot help, or the restart
 * policy has retries of its own. The status has the reason meanwhile.
 */
export function waitForCreation(
  observation: Observation, { reason, kind, isRefusal = false, retryWithin }: SubmissionFailure, now: number, settings: Settings,
): Step {
  const { application } = observation;
  const status = application.status!;
  const message = `driver cannot be created yet: ${reason}`;
  const isNews = !sameButForNumbers(status.applicationState?.errorMessage, message);
  const deadline = kind === 'lasting' ? deadlineOf(observation, now, settings) : undefined;
  const isFinal = kind === 'final' || (isRefusal && retriesSubmissions(governed(observation).spec.restartPolicy));
  if (isFinal || (deadline && deadline.left <= 0)) {
    const cause = isRefusal ? asSubmissionError(reason) : reason;
    const failed = submissionFailed(application, isFinal ? cause : gaveUp(cause, settings.driverStartTimeout), now);
    return { ...failed, events: [...added(application), ...failed.events ?? []] };
  }
  const pause = pauseAfter(now - Date.parse(status.lastSubmissionAttemptTime ?? rfc3339(now)), retryWithin);
  return {
    status: isNews || status.startDeadlineTime !== deadline?.time
      ? withStartDeadline({ ...status, applicationState: { state: stateOf(application), errorMessage: message } }, deadline?.time)
      : undefined,
    events: isNews ? [...added(application), warning(
      'SparkDriverPending', 'Submit',
      `The driver of SparkApplication ${application.metadata.name} cannot be created yet: ${shortMessage(reason)}`,
    )] : [],
    requeueAfter: Math.min(pause, deadline?.left ?? Infinity),
  };
}

/**
 * Returns the deadline of a wait for something that needs user action. If an older CRD drops it, it
 * began with the attempt, or on its node.
 */
function deadlineOf(
  { application: { status }, dropsStartDeadline }: Observation, now: number, { driverStartTimeout }: Settings, pod?: PodView,
): StartDeadline {
  const times = [status?.lastSubmissionAttemptTime, pod?.startTime].map((time) => Date.parse(time ?? '')).filter(Number.isFinite);
  const begin = times.length > 0 ? Math.max(...times) : now;
  return startDeadline({ known: status?.startDeadlineTime, timeout: driverStartTimeout, ...(dropsStartDeadline && { begin }) }, now);
}

/**
 * Returns the event about a new application. As with kubeflow/spark-operator, it follows the first
 * try if that does not succeed: a successful one has its own event.
 */
function added(application: SparkApplication): UserEvent[] {
  const { submissionAttempts, executionAttempts, applicationState } = application.status!;
  const isNew = stateOf(application) === ApplicationState.NEW && submissionAttempts === 1 && !executionAttempts;
  if (!isNew || applicationState?.errorMessage) return [];
  return [normal('SparkApplicationAdded', 'Submit', `SparkApplication ${application.metadata.name} was added and is submitted next`)];
}

/** Ends a submission without a driver. The restart policy decides what follows. */
export function submissionFailed({ metadata, status = { driverInfo: {} } }: SparkApplication, cause: string, now: number): Step {
  return {
    status: {
      ...status, terminationTime: rfc3339(now), applicationState: { state: ApplicationState.SUBMISSION_FAILED, errorMessage: cause },
    },
    events: [warning(
      'SparkApplicationSubmissionFailed', 'Submit', `SparkApplication ${metadata.name} could not be submitted: ${shortMessage(cause)}`,
    )],
    again: true,
  };
}

/**
 * Waits for a driver that does not start. The status has the reason at once. An obstacle that
 * cannot pass by itself ends the application after a while.
 */
export function waitForStart(observation: Observation, pod: PodView, { now, settings }: Context): Step {
  const { application } = observation;
  const status = application.status!;
  const { obstacle, text, note, prepared } = startObstacle(pod, now);
  const message = text && `driver does not start: ${text}`;
  const current = status.applicationState;
  const isNews = current?.state !== ApplicationState.SUBMITTED || !hasMessage(current.errorMessage, message);
  const deadline = obstacle && !obstacle.passes ? deadlineOf(observation, now, settings, pod) : undefined;
  if (deadline && deadline.left <= 0) {
    return failing(application, now, gaveUp(message!, settings.driverStartTimeout), 'SparkDriverFailed');
  }
  return {
    status: isNews || status.startDeadlineTime !== deadline?.time
      ? withStartDeadline({
        ...status, applicationState: { state: ApplicationState.SUBMITTED, ...(message && { errorMessage: message }) },
      }, deadline?.time)
      : undefined,
    events: obstacle && !reports(current?.errorMessage, obstacle)
      ? [warning('SparkDriverPending', 'Start', `Driver ${pod.metadata.name} does not start: ${note}`)]
      : [],
    requeueAfter: leastOf(deadline?.left, obstacle ? Infinity : prepared, untilReading(pod, now)),
  };
}
