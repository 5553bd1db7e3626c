import type { SparkApplicationSpec } from '../api/spark-application';
import type { SparkApplicationStatus } from '../api/spark-application-status';
import { ApplicationState } from '../api/states';
import type { KubeObject, ObjectMeta } from '../kube/objects';
import type { StatusWriter } from './status-writers';
import type { Cut } from './cut';
import type { SpecFacts } from './spec-facts';

/** A SparkApplication in memory: of a large specification only facts. */
export interface SparkApplication extends KubeObject {
  readonly metadata: ObjectMeta & { readonly namespace: string; readonly uid: string };
  readonly spec: SpecFacts;
  /** Present if the specification is not whole. */
  readonly cut?: Cut;
  readonly status?: SparkApplicationStatus;
  /** Who has written to the status; derived from what is not kept. */
  readonly statusWriters?: readonly StatusWriter[];
}

/** A SparkApplication as the API server holds it. */
export interface WholeApplication extends SparkApplication {
  readonly spec: SparkApplicationSpec;
  readonly cut?: undefined;
}

/** Returns whether the specification is whole. */
export function isWhole(application: SparkApplication): application is WholeApplication {
  return application.cut === undefined;
}

/** The state in an application's status; new when there is none. */
export function stateOf(application: SparkApplication): ApplicationState {
  return application.status?.applicationState?.state ?? ApplicationState.NEW;
}

/** States in which an attempt begins. */
const BEGINNING: readonly string[] = [ApplicationState.NEW, ApplicationState.PENDING_RERUN, ApplicationState.RESUMING];

/** Whether an application is in a state in which an attempt begins. */
export function isBeginning(application: SparkApplication): boolean {
  return BEGINNING.includes(stateOf(application));
}

/**
 * Whether the intent of the current attempt is written down. An id alone can be that of an earlier attempt, whose objects are to be removed: then the time of
 * its begin is gone, or, as kubeflow/spark-operator does it, the name of its driver. What decides must be in the CRD of everybody: an API server with another one
 * drops what it does not know, with each write.
 */
export function isBegun({ status }: SparkApplication): boolean {
  return Boolean(status?.submissionID && status.lastSubmissionAttemptTime && status.driverInfo?.podName);
}
