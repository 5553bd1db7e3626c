/**
 * States of a SparkApplication, in `status.applicationState.state`. The strings are those of
 * kubeflow/spark-operator v1beta2. The empty string is an application that the operator has not
 * reconciled yet.
 */
export enum ApplicationState {
  /** Not submitted yet. */
  NEW = '',
  /** The driver Pod was created but has not started. */
  SUBMITTED = 'SUBMITTED',
  /** The driver is running. */
  RUNNING = 'RUNNING',
  /** The driver succeeded; the operator cleans up. */
  SUCCEEDING = 'SUCCEEDING',
  /** The application succeeded. Final. */
  COMPLETED = 'COMPLETED',
  /** The driver failed; the operator cleans up and decides about a retry. */
  FAILING = 'FAILING',
  /** The application failed. Final. */
  FAILED = 'FAILED',
  /** The driver Pod could not be created. */
  SUBMISSION_FAILED = 'SUBMISSION_FAILED',
  /**
   * Kubernetes does not know the state of the driver, for example because its node is unreachable.
   */
  UNKNOWN = 'UNKNOWN',
  /** The application is about to be restarted. */
  PENDING_RERUN = 'PENDING_RERUN',
  /** The objects of a previous specification are being removed. */
  INVALIDATING = 'INVALIDATING',
  /** The application is being suspended. */
  SUSPENDING = 'SUSPENDING',
  /** The application is suspended. */
  SUSPENDED = 'SUSPENDED',
  /** The application is about to resume after a suspension. */
  RESUMING = 'RESUMING',
}

/**
 * States of a driver or an executor, in `status.executorState`. The strings are those of
 * kubeflow/spark-operator v1beta2.
 */
export enum ExecutorState {
  /** The pod has not started. */
  PENDING = 'PENDING',
  /** The pod is running. */
  RUNNING = 'RUNNING',
  /** The pod succeeded. */
  COMPLETED = 'COMPLETED',
  /** The pod failed, or disappeared from an application that did not succeed. */
  FAILED = 'FAILED',
  /** Kubernetes does not know the pod's state. */
  UNKNOWN = 'UNKNOWN',
}

/** Reason why an attempt began, in `status.attemptHistory`. */
export enum AttemptTrigger {
  /** The application was created. */
  CREATION = 'Creation',
  /** The restart policy requires it after the previous attempt. */
  RESTART_POLICY = 'RestartPolicy',
  /** The specification was edited, also by `sparkctl rerun`. */
  SPEC_CHANGE = 'SpecChange',
  /** The application was resumed after a suspension. */
  RESUME = 'Resume',
}

/** Result of an attempt that has ended, in `status.attemptHistory`. */
export enum AttemptResult {
  /** The driver succeeded. */
  COMPLETED = 'Completed',
  /** The driver failed, or the operator gave it up. */
  FAILED = 'Failed',
  /** The driver Pod could not be created. */
  SUBMISSION_FAILED = 'SubmissionFailed',
  /** A suspension or an edit of the specification stopped it. */
  STOPPED = 'Stopped',
}

/** Types of the standard conditions in `status.conditions`. */
export enum ConditionType {
  /** The driver Pod of the current attempt was created. */
  SUBMITTED = 'Submitted',
  /** The driver is running. */
  RUNNING = 'Running',
  /** The application succeeded. */
  COMPLETED = 'Completed',
  /** The application failed and is not retried. */
  FAILED = 'Failed',
  /** The application is suspended and has no pods. */
  SUSPENDED = 'Suspended',
}

/** Whether an application in this state is finished. */
export function isTerminal(state: ApplicationState): boolean {
  return state === ApplicationState.COMPLETED || state === ApplicationState.FAILED;
}

/** States without an active attempt, in which the end of the previous one is unknown. */
const BETWEEN_ATTEMPTS: readonly string[] = [
  ApplicationState.PENDING_RERUN, ApplicationState.INVALIDATING, ApplicationState.SUSPENDED, ApplicationState.RESUMING,
];

/** Whether no attempt is active in this state, and the duration of the previous one is unknown. */
export function isBetweenAttempts(state: string): boolean {
  return BETWEEN_ATTEMPTS.includes(state);
}
