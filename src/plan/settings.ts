import type { BatchSchedulerSettings } from './schedulers/scheduler';

/**
 * How applications are submitted. `native`: the operator creates what spark-submit would create. `spark-submit`: it runs
 * spark-submit. `auto`: natively, and by spark-submit what cannot go natively.
 */
export type SubmissionMode = 'auto' | 'native' | 'spark-submit';

/** All modes. */
export const SUBMISSION_MODES: readonly SubmissionMode[] = ['auto', 'native', 'spark-submit'];

/** The operator's configuration, as far as submissions depend on it. */
export interface SubmissionSettings {
  /** How applications are submitted that do not say it themselves. */
  readonly mode: SubmissionMode;
  /** Applications can choose another mode by an annotation. @default true */
  readonly modeAnnotation?: boolean;
  /** The user that Spark says it runs for (`SPARK_USER`). */
  readonly sparkUser: string;
  /** URL of web UIs, which Spark has to know where there is one. */
  readonly webUIUrlFormat?: string;
  /** The operator's webhook for pods, here or elsewhere, does what a pod template cannot carry. @default false: what a template cannot carry has no effect */
  readonly podWebhook?: boolean;
  /** Deadline of a Pod that runs spark-submit, in milliseconds. @default 300,000 */
  readonly sparkSubmitTimeout?: number;
  /** How batch schedulers are told of applications. @default - they are not */
  readonly batchSchedulers?: BatchSchedulerSettings;
}
