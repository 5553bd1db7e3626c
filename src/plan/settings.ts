/**
 * Ways to submit applications. `native`: the operator creates what spark-submit would create.
 * `spark-submit`: it runs spark-submit. `auto`: native, except for applications that need
 * spark-submit.
 */
export type SubmissionMode = 'auto' | 'native' | 'spark-submit';

/** All modes. */
export const SUBMISSION_MODES: readonly SubmissionMode[] = ['auto', 'native', 'spark-submit'];

/** The operator's configuration for submissions. */
export interface SubmissionSettings {
  /** The mode of applications that choose none. */
  readonly mode: SubmissionMode;
  /** Whether applications can choose another mode by an annotation. @default true */
  readonly modeAnnotation?: boolean;
  /** Spark's user (`SPARK_USER`). */
  readonly sparkUser: string;
  /** URL format of web UIs, which Spark must know if there are any. */
  readonly webUIUrlFormat?: string;
  /**
   * Whether the operator's webhook for pods, in this or another process, applies settings that a
   * pod template cannot carry.
   *
   * @default false: such settings have no effect
   */
  readonly podWebhook?: boolean;
  /**
   * Whether the webhook for pods sets the fields of executors that only concern them, so that new
   * executors get edits. Requires `podWebhook`.
   *
   * @default false
   */
  readonly partialRestart?: boolean;
  /** Deadline of a Pod that runs spark-submit, in milliseconds. @default 300,000 */
  readonly sparkSubmitTimeout?: number;
  /** Settings of the batch schedulers. @default - none */
  readonly batchSchedulers?: BatchSchedulerSettings;
}

/** Configuration of the operator for gang scheduling. */
export interface BatchSchedulerSettings {
  /** Scheduler names of kube-schedulers with the coscheduling plugin (`--kube-scheduler-names`). */
  readonly kubeSchedulers: readonly string[];
  /** Scheduler of applications that set none (`--default-batch-scheduler`). */
  readonly default?: string;
}
