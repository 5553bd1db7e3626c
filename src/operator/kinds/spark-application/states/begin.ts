import { LABEL_SUBMISSION_ID } from '../../../../api/labels';
import type { SparkApplicationStatus } from '../../../../api/spark-application-status';
import { ApplicationState, ExecutorState } from '../../../../api/states';
import type { Belonging } from '../../../../model/belonging';
import type { SubmissionFailure } from '../../../driver/submission-failure';
import { startObstacle } from '../../../driver/start-obstacle';
import { leastOf } from '../../../driver/pauses';
import { untilReading } from '../../../driver/preparation';
import { driverState, hasEnded, type PodView } from '../../../../model/pod-view';
import { retriesSubmissions } from '../../../../model/restart-policy';
import { noteOf } from '../../../note';
import { normal, warning, type UserEvent } from '../../../user-event';
import { driverPodName } from '../../../../plan/identity';
import { rfc3339 } from '../../../../text/times';
import { inTheWay } from '../belonging';
import { governed, type Context, type Observation, type Settings, type Submitting } from '../decision';
import { isBegun } from '../../../../model/spark-application';
import { oversizedReason } from '../transform';
import { specHashOf } from '../spec-change';
import type { Step } from '../step';
import { submissionFailed, waitForCreation } from '../waiting';
import { removal, waitForDeletion } from './removal';

/**
 * Begins an attempt of an application that is new, resumes, or runs again. The operator first
 * removes the objects of an earlier attempt. It then writes the intent to the status, and creates
 * the driver under the id in it. So a crash in between creates no second driver.
 */
export function begin(observation: Observation, context: Context): Step {
  const { application } = observation;
  // The operator adopts an existing driver, even of another operator.
  if (!isBegun(application)) {
    const removed = observation.adoptable ? undefined : removal(observation, context.now);
    return removed ?? refused(observation, context) ?? intend(observation, context);
  }
  return submit(observation, context);
}

/**
 * Rejects a specification that is too large to run, without an attempt. The operator still adopts a
 * driver of another operator.
 */
function refused({ application, adoptable }: Observation, { now }: Context): Step | undefined {
  const reason = adoptable ? undefined : oversizedReason(application);
  return reason === undefined ? undefined : submissionFailed(application, reason, now);
}

function intend({ application, adoptable }: Observation, { now, newId, settings }: Context): Step {
  const { submissionAttempts = 0, executionAttempts, conditions, applicationState } = application.status ?? {};
  const status: SparkApplicationStatus = {
    submissionID: adoptable?.metadata.labels?.[LABEL_SUBMISSION_ID] ?? newId(),
    // The executors of an adopted driver do not get these fields by the webhook.
    specHash: specHashOf(application, settings.partialRestart && !adoptable),
    lastSubmissionAttemptTime: rfc3339(now),
    submissionAttempts: submissionAttempts + 1,
    ...(executionAttempts !== undefined && { executionAttempts }),
    driverInfo: { podName: adoptable?.metadata.name ?? driverPodName(application) },
    // A new application has the empty state. Some tools, such as Airflow's, take any state but
    // SUBMITTED for a driver that has started.
    ...(applicationState?.state && { applicationState: { state: applicationState.state } }),
    ...(conditions && { conditions }),
  };
  return { status, action: { kind: adoptable ? 'confirm-driver' : 'submit' } };
}

function submit(observation: Observation, { now, settings }: Context): Step {
  const { driver, failure, submitting, submitter, confirmed, notBefore = now } = observation;
  if (submitting) return sparkSubmitStarted(observation, submitting, settings);
  // spark-submit creates the driver first, and its Service and ConfigMap afterwards.
  if (submitter && !confirmed && !failure) return awaitSparkSubmit(observation, submitter, now);
  if (driver.kind === 'ours' && !failure) {
    if (!confirmed && driverState(driver.pod) === ExecutorState.PENDING) return { action: { kind: 'confirm-driver' } };
    return submitted(observation, driver.pod, now);
  }
  // Only another operator, or a decision on a stale cache, leaves a previous driver behind.
  if (driver.kind === 'earlier' && !driver.pod.metadata.deletionTimestamp) return { action: { kind: 'delete-driver', pod: driver.pod } };
  const found = failure ?? (driver.kind === 'absent' || driver.kind === 'ours' ? undefined : conflictWith(driver.pod, driver.kind));
  if (found) return waitForCreation(observation, found, now, settings);
  // The pause between two tries applies to every reconcile, such as one after the operator's own
  // write.
  return notBefore > now ? { requeueAfter: notBefore - now } : { action: { kind: 'submit' } };
}

function sparkSubmitStarted(
  { application, appliedDefaults, warnings = [] }: Observation, { because }: Submitting, settings: Settings,
): Step {
  return {
    ...(appliedDefaults && appliedDefaults.length > 0 && { status: { ...application.status!, appliedDefaults: [...appliedDefaults] } }),
    events: [
      normal(
        'SparkApplicationSubmitting', 'Submit', `SparkApplication ${application.metadata.name} is submitted by spark-submit: ${because}`,
      ),
      ...specWarnings(warnings),
    ],
    requeueAfter: settings.sparkSubmitTimeout,
  };
}

/** Waits for the end of spark-submit, and reads its result. */
function awaitSparkSubmit(observation: Observation, submitter: PodView, now: number): Step {
  const { application, notBefore = now } = observation;
  if (submitter.metadata.deletionTimestamp) return waitForDeletion(application, submitter, now, 'pod');
  if (!hasEnded(submitter)) {
    return {
      requeueAfter: leastOf(
        submitter.phase === 'Pending' ? startObstacle(submitter, now).prepared : Infinity, untilReading(submitter, now),
      ),
    };
  }
  if (notBefore > now) return { requeueAfter: notBefore - now };
  const isLastTry = retriesSubmissions(governed(observation).spec.restartPolicy);
  return { action: { kind: 'end-spark-submit', pod: submitter, isLastTry } };
}

/** Returns the events about a submitted application. */
export function submissionEvents(
  { application: { metadata, status }, warnings = [] }: Pick<Observation, 'application' | 'warnings'>,
): UserEvent[] {
  return [
    normal(
      'SparkApplicationSubmitted', 'Submit', `SparkApplication ${metadata.name} was submitted as driver pod ${status!.driverInfo.podName}`,
    ),
    ...specWarnings(warnings),
  ];
}

function specWarnings(warnings: readonly string[]): UserEvent[] {
  return warnings.length > 0 ? [warning('SparkApplicationSpecWarning', 'Submit', noteOf(warnings))] : [];
}

function submitted(observation: Observation, driver: PodView, now: number): Step {
  const { application, appliedDefaults } = observation;
  const status = application.status!;
  const { activeDeadlineSeconds } = governed(observation).spec;
  const created = Date.parse(driver.metadata.creationTimestamp ?? rfc3339(now));
  return {
    status: {
      ...status,
      executionAttempts: (status.executionAttempts ?? 0) + 1,
      ...(appliedDefaults && appliedDefaults.length > 0 && { appliedDefaults: [...appliedDefaults] }),
      ...(activeDeadlineSeconds !== undefined && { deadlineTime: rfc3339(created + activeDeadlineSeconds * 1000) }),
      applicationState: { state: ApplicationState.SUBMITTED },
    },
    events: submissionEvents(observation),
    again: true,
  };
}

function conflictWith(pod: PodView, belonging: Exclude<Belonging, 'ours'>): SubmissionFailure {
  return { reason: inTheWay('Pod', pod.metadata.name, belonging), kind: belonging === 'foreign' ? 'final' : 'lasting' };
}
