import type { BatchSchedulerSettings, SubmissionMode } from '../../plan/settings';

/** Settings that determine the objects, in addition to the manifest. */
export interface RenderSettings {
  /** Namespace of applications that name none; all others must be in it. @default 'default' */
  readonly namespace?: string;
  /** Replaces the uid of the manifest. @default - that of the manifest, else a placeholder */
  readonly uid?: string;
  /** Replaces the submission id of the status. @default - that of the status, else a placeholder */
  readonly submissionID?: string;
  /** Replaces the attempt of the status. @default - that of the status, else 1 */
  readonly attempt?: number;
  /** Replaces the time of the status. @default - that of the status, else a placeholder */
  readonly submitTime?: Date;
  /** The operator's `--submission-mode`. */
  readonly mode: SubmissionMode;
  /** The operator's `--spark-user`. */
  readonly sparkUser: string;
  /**
   * The operator's `--enable-batch-scheduler`, `--kube-scheduler-names` and
   * `--default-batch-scheduler`.
   *
   * @default - batch scheduling is off
   */
  readonly batchSchedulers?: BatchSchedulerSettings;
  /** URL of the API server for spark-submit. */
  readonly master: string;
  /** Folder for the pod templates of spark-submit. @default - the command contains them */
  readonly templatesFolder?: string;
}
