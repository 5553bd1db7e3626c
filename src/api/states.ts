/**
 * States of a SparkApplication, in `status.applicationState.state`.
 * The strings are those of kubeflow/spark-operator v1beta2; the empty string is an application that nobody has looked at yet.
 */
export enum ApplicationState {
  /** Not submitted yet. */
  NEW = '',
  /** The driver Pod was created; it has not started. */
  SUBMITTED = 'SUBMITTED',
  /** The driver is running. */
  RUNNING = 'RUNNING',
  /** The driver succeeded; what follows is being settled. */
  SUCCEEDING = 'SUCCEEDING',
  /** The application succeeded. Final. */
  COMPLETED = 'COMPLETED',
  /** The driver failed; what follows is being settled. */
  FAILING = 'FAILING',
  /** The application failed. Final. */
  FAILED = 'FAILED',
  /** The driver Pod could not be created. */
  SUBMISSION_FAILED = 'SUBMISSION_FAILED',
  /** Kubernetes does not know the state of the driver, for example because its node is unreachable. */
  UNKNOWN = 'UNKNOWN',
  /** The application is about to be run again. */
  PENDING_RERUN = 'PENDING_RERUN',
  /** What belongs to an older specification is being removed. */
  INVALIDATING = 'INVALIDATING',
  /** The application is being suspended. */
  SUSPENDING = 'SUSPENDING',
  /** The application is suspended. */
  SUSPENDED = 'SUSPENDED',
  /** The application is about to go on after a suspension. */
  RESUMING = 'RESUMING',
}

/** States of a driver or an executor, in `status.executorState`. The strings are those of kubeflow/spark-operator v1beta2. */
export enum ExecutorState {
  /** The pod has not started. */
  PENDING = 'PENDING',
  /** The pod is running. */
  RUNNING = 'RUNNING',
  /** The pod succeeded. */
  COMPLETED = 'COMPLETED',
  /** The pod failed, or vanished from an application that did not succeed. */
  FAILED = 'FAILED',
  /** Kubernetes does not know the pod's state. */
  UNKNOWN = 'UNKNOWN',
}

/** Types of the standard conditions in `status.conditions`. */
export enum ConditionType {
  /** The driver Pod of the current attempt was created. */
  SUBMITTED = 'Submitted',
  /** The driver is running. */
  RUNNING = 'Running',
  /** The application succeeded. */
  COMPLETED = 'Completed',
  /** The application failed, and is not tried again. */
  FAILED = 'Failed',
  /** The application is suspended: nothing of it runs. */
  SUSPENDED = 'Suspended',
}

/** Whether an application in this state is finished. */
export function isTerminal(state: ApplicationState): boolean {
  return state === ApplicationState.COMPLETED || state === ApplicationState.FAILED;
}
