import type { BatchSchedulerSettings } from '../../plan/schedulers/scheduler';
import type { SubmissionMode } from '../../plan/settings';
import type { SparkSubmitPermissions } from '../../plan/spark-submit/reasons-against';

/** What the objects depend on besides the manifest. */
export interface RenderSettings {
  /** Namespace of applications that name none; others must be in it. Default: `default`. */
  readonly namespace?: string;
  /** In place of what the manifest says, if it says anything. Default: a placeholder. */
  readonly uid?: string;
  /** In place of the status. Default: a placeholder. */
  readonly submissionID?: string;
  /** In place of the status. Default: 1. */
  readonly attempt?: number;
  /** In place of the status. Default: a placeholder. */
  readonly submitTime?: Date;
  /** The operator's `--submission-mode`. */
  readonly mode: SubmissionMode;
  /** The operator's `--spark-user`. */
  readonly sparkUser: string;
  /** The operator's `--spark-submit-folders` and `--spark-submit-packages`. */
  readonly permissions: SparkSubmitPermissions;
  /** The operator's `--enable-batch-scheduler`, `--kube-scheduler-names` and `--default-batch-scheduler`. Default: batch schedulers are told of nothing. */
  readonly batchSchedulers?: BatchSchedulerSettings;
  /** The API server for spark-submit. */
  readonly master: string;
  /** Where pod templates for spark-submit are written. Default: nowhere, they are part of the command. */
  readonly templatesFolder?: string;
}
