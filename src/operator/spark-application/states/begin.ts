import { LABEL_SUBMISSION_ID } from '../../../api/labels';
import type { SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState, ExecutorState } from '../../../api/states';
import type { Belonging } from '../../../model/belonging';
import type { SubmissionFailure } from '../../driver/hindrance';
import { startObstacle } from '../../driver/hindrance-to-start';
import { leastOf } from '../../driver/pauses';
import { untilReading } from '../../driver/preparation';
import { driverState, hasEnded, type PodView } from '../../../model/pod-view';
import { noteOf } from '../../note';
import { normal, warning, type UserEvent } from '../../occurrence';
import { driverPodName } from '../../../plan/identity';
import { rfc3339 } from '../../../text/times';
import { inTheWay } from '../belonging';
import { governed, type Context, type Observation, type Settings, type Submitting } from '../decision';
import { isBegun, stateOf, type SparkApplication } from '../../../model/spark-application';
import { oversizedReason } from '../transform';
import { specHashOf } from '../spec-change';
import type { Step } from '../step';
import { submissionFailed, waitForCreation } from '../waiting';
import { removal, waitForDeletion } from './removal';

/**
 * New, about to be run again, or about to go on after a suspension: an attempt begins. What an earlier one made is removed first. Then
 * the intent is written down, and then the driver is created under the id in it, so that a crash in between makes no second one.
 */
export function begin(observation: Observation, context: Context): Step {
  const { application } = observation;
  // A driver that is there counts, whoever has created it.
  if (!isBegun(application)) return (observation.adoptable ? undefined : removal(observation, context.now)) ?? refused(observation, context) ?? intend(observation, context);
  return submit(observation, context);
}

/**
 * Refuses a specification that is too large to be run, without an attempt. A driver of another
 * operator is adopted nevertheless.
 */
function refused({ application, adoptable: stray }: Observation, { now }: Context): Step | undefined {
  const reason = stray ? undefined : oversizedReason(application);
  return reason === undefined ? undefined : submissionFailed(application, reason, now);
}

function intend({ application, adoptable: stray }: Observation, { now, newId }: Context): Step {
  const { submissionAttempts = 0, executionAttempts, conditions } = application.status ?? {};
  const state = stateOf(application);
  const status: SparkApplicationStatus = {
    submissionID: stray?.metadata.labels?.[LABEL_SUBMISSION_ID] ?? newId(),
    specHash: specHashOf(application),
    lastSubmissionAttemptTime: rfc3339(now),
    submissionAttempts: submissionAttempts + 1,
    ...(executionAttempts !== undefined && { executionAttempts }),
    driverInfo: { podName: stray?.metadata.name ?? driverPodName(application) },
    // Nothing has happened to a new application. The word for that is empty, and there are tools that take any word but SUBMITTED for a driver that has started, such as Airflow's.
    ...(state !== ApplicationState.NEW && { applicationState: { state } }),
    ...(conditions && { conditions }),
  };
  return { status, action: { kind: stray ? 'confirm-driver' : 'submit' } };
}

function submit(observation: Observation, { now, settings }: Context): Step {
  const { application, driver, failure, submitting, submitter, confirmed, notBefore = now } = observation;
  if (submitting) return sparkSubmitStarted(observation, submitting, settings);
  // spark-submit creates the driver first, and its Service and ConfigMap afterwards.
  if (submitter && !confirmed && !failure) return awaitSparkSubmit(application, submitter, notBefore, now);
  if (driver.kind === 'ours' && !failure) {
    if (!confirmed && driverState(driver.pod) === ExecutorState.PENDING) return { action: { kind: 'confirm-driver' } };
    return submitted(observation, driver.pod, now);
  }
  // Only another operator, or a decision that was made on an old cache, leaves one behind.
  if (driver.kind === 'earlier' && !driver.pod.metadata.deletionTimestamp) return { action: { kind: 'delete-driver', pod: driver.pod } };
  const found = failure ?? (driver.kind === 'absent' || driver.kind === 'ours' ? undefined : conflictWith(driver.pod, driver.kind));
  if (found) return waitForCreation(observation, found, now, settings);
  // Whatever woke us, such as our own write: the pause between two tries is kept.
  return notBefore > now ? { requeueAfter: notBefore - now } : { action: { kind: 'submit' } };
}

function sparkSubmitStarted({ application, appliedDefaults, warnings = [] }: Observation, { because }: Submitting, settings: Settings): Step {
  return {
    ...(appliedDefaults && appliedDefaults.length > 0 && { status: { ...application.status!, appliedDefaults: [...appliedDefaults] } }),
    events: [
      normal('SparkApplicationSubmitting', 'Submit', `SparkApplication ${application.metadata.name} is submitted by spark-submit: ${because}`),
      ...specWarnings(warnings),
    ],
    requeueAfter: settings.sparkSubmitTimeout,
  };
}

/** Waits for the end of spark-submit, and reads its result. */
function awaitSparkSubmit(application: SparkApplication, submitter: PodView, notBefore: number, now: number): Step {
  if (submitter.metadata.deletionTimestamp) return waitForDeletion(application, submitter, now, 'pod');
  if (!hasEnded(submitter)) return { requeueAfter: leastOf(submitter.phase === 'Pending' ? startObstacle(submitter, now).prepared : Infinity, untilReading(submitter, now)) };
  return notBefore > now ? { requeueAfter: notBefore - now } : { action: { kind: 'end-spark-submit', pod: submitter } };
}

function specWarnings(warnings: readonly string[]): UserEvent[] {
  return warnings.length > 0 ? [warning('SparkApplicationSpecWarning', 'Submit', noteOf(warnings))] : [];
}

function submitted(observation: Observation, driver: PodView, now: number): Step {
  const { application, appliedDefaults, warnings = [] } = observation;
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
    events: [
      normal('SparkApplicationSubmitted', 'Submit', `SparkApplication ${application.metadata.name} was submitted as driver pod ${driver.metadata.name}`),
      ...specWarnings(warnings),
    ],
    goOn: true,
  };
}

function conflictWith(pod: PodView, belonging: Exclude<Belonging, 'ours'>): SubmissionFailure {
  return { reason: inTheWay('Pod', pod.metadata.name, belonging), kind: belonging === 'foreign' ? 'final' : 'lasting' };
}
