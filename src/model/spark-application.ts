import type { SparkApplicationSpec } from '../api/spark-application';
import type { SparkApplicationStatus } from '../api/spark-application-status';
import { ApplicationState, ConditionType } from '../api/states';
import type { KubeObject, ObjectMeta } from '../kube/objects';
import { applicationIdOf } from './application-id';
import type { StatusWriter } from './status-writers';
import type { Cut } from './cut';
import type { SpecFacts } from './spec-facts';

/** A SparkApplication in memory. If its specification is large, it only has the facts. */
export interface SparkApplication extends KubeObject {
  readonly metadata: ObjectMeta & { readonly namespace: string; readonly uid: string };
  readonly spec: SpecFacts;
  /** Present if the specification is not complete. */
  readonly cut?: Cut;
  readonly status?: SparkApplicationStatus;
  /** Writers of the status, read from the managed fields, which are not kept. */
  readonly statusWriters?: readonly StatusWriter[];
}

/** A SparkApplication with its complete specification. */
export interface WholeApplication extends SparkApplication {
  readonly spec: SparkApplicationSpec;
  readonly cut?: undefined;
}

/** Returns whether the specification is complete. */
export function isWhole(application: SparkApplication): application is WholeApplication {
  return application.cut === undefined;
}

/**
 * Returns the state in an application's status, or new if there is none. While the operator retries
 * a failed submission, the status keeps SUBMISSION_FAILED, as with kubeflow/spark-operator, but has
 * neither the reason nor the time of a failure: the application is about to run again.
 */
export function stateOf({ status }: Pick<SparkApplication, 'status'>): ApplicationState {
  const { state = ApplicationState.NEW, errorMessage } = status?.applicationState ?? {};
  const isRetried = state === ApplicationState.SUBMISSION_FAILED && !errorMessage && !status?.terminationTime;
  return isRetried ? ApplicationState.PENDING_RERUN : state;
}

/** States in which the operator starts an attempt. */
const BEGINNING: readonly string[] = [ApplicationState.NEW, ApplicationState.PENDING_RERUN, ApplicationState.RESUMING];

/** Whether the operator starts an attempt in the application's state. */
export function isBeginning(application: Pick<SparkApplication, 'status'>): boolean {
  return BEGINNING.includes(stateOf(application));
}

/** States in which the pod of the driver exists. */
const WITH_DRIVER: readonly string[] = [ApplicationState.SUBMITTED, ApplicationState.RUNNING];

/** Whether the pod that the status names as the driver's should exist, or is about to. */
export function expectsDriver(application: SparkApplication): boolean {
  return application.status?.driverInfo?.podName !== undefined && WITH_DRIVER.includes(stateOf(application));
}

/** Milliseconds in which a driver follows the status that reports it, if an operator works. */
const CREATION = 60_000;

/** Whether the driver of an application must exist by now. `now` is in milliseconds. */
export function needsDriver(application: SparkApplication, now: number): boolean {
  const isNew = isUnconfirmed(application) && now - Date.parse(application.status?.lastSubmissionAttemptTime ?? '') < CREATION;
  return expectsDriver(application) && !isNew;
}

/**
 * Whether the status does not prove that the driver of a SUBMITTED application was created. The
 * intent of a native submission has that state already. Each later write of the status names the
 * driver in the record of the attempt.
 */
export function isUnconfirmed({ status }: Pick<SparkApplication, 'status'>): boolean {
  const { submissionID, sparkApplicationId, attemptHistory } = status ?? {};
  if (!submissionID || stateOf({ status }) !== ApplicationState.SUBMITTED) return false;
  // spark-submit creates the driver before the operator writes that state.
  if (sparkApplicationId !== applicationIdOf(submissionID)) return false;
  const last = attemptHistory?.at(-1);
  return last?.submissionID !== submissionID || last.driverPodName === undefined;
}

/**
 * Returns when the current attempt was submitted, in milliseconds since 1970; NaN without one. It
 * began earlier if its driver could not be created at once.
 */
export function submissionTime({ status }: Pick<SparkApplication, 'status'>): number {
  const begin = Date.parse(status?.lastSubmissionAttemptTime ?? '');
  const submitted = status?.conditions?.find(({ type }) => type === ConditionType.SUBMITTED);
  // A suspension ends the condition.
  const time = submitted?.status === 'True' ? submitted.lastTransitionTime : status?.attemptHistory?.at(-1)?.driverCreationTime;
  const created = Date.parse(time ?? '');
  return created > begin ? created : begin;
}

/**
 * Whether the status records the intent of the current attempt.
 *
 * An id alone can be that of a previous attempt whose objects the operator still has to delete.
 * Then the status has no submission time, or, as kubeflow/spark-operator leaves it, no driver name.
 * This only reads fields that every version of the CRD has: with each write, the API server drops
 * fields that its CRD does not know.
 */
export function isBegun({ status }: SparkApplication): boolean {
  return Boolean(status?.submissionID && status.lastSubmissionAttemptTime && status.driverInfo?.podName);
}
