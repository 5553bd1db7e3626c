import { ApiObjectMetadata, Duration } from 'cdk8s';
import { ISparkJobNamespace } from './job-namespace';
import { Schedule } from './schedule';
import { SparkApplicationTemplate } from './spark-application-props';
import { CatchUpPolicy, ConcurrencyPolicy } from '../api/scheduled-spark-application';

/** Schedule, and template of the runs. */
export interface ScheduledSparkApplicationProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /** Times of the runs. */
  readonly schedule: Schedule;

  /**
   * Time zone of the schedule, such as `Europe/Berlin`. A time that a clock change skips has no
   * run; a time that it repeats has two. Abbreviations such as `BST` and `PST` are rejected, and so
   * is a zone other than that of the schedule (`TZ=…`).
   *
   * @default - UTC
   */
  readonly timeZone?: string;

  /** Template of each run. */
  readonly template: SparkApplicationTemplate;

  /**
   * Policy for a run that is due while a previous one is active.
   *
   * @default ConcurrencyPolicy.ALLOW
   */
  readonly concurrency?: ConcurrencyPolicy;

  /**
   * Number of successful runs to keep, from 0 to 1000.
   *
   * @default 1
   */
  readonly successfulRunHistoryLimit?: number;

  /**
   * Number of failed runs to keep, from 0 to 1000.
   *
   * @default 1
   */
  readonly failedRunHistoryLimit?: number;

  /**
   * Whether the schedule is suspended and starts no further runs. Current runs continue.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * Maximum delay of a run after its scheduled time.
   *
   * @default - no limit
   */
  readonly startingDeadline?: Duration;

  /**
   * Policy for runs whose time passed while no operator was active.
   *
   * @default CatchUpPolicy.LATEST
   */
  readonly catchUp?: CatchUpPolicy;

  /**
   * Namespace in which the runs are. It decides about their service account and image if the
   * template does not, and its limits and quota apply at synthesis.
   *
   * @default - that of `metadata` or the chart, without these checks
   */
  readonly jobNamespace?: ISparkJobNamespace;

  /**
   * Whether synthesis rejects the schedule also for warnings: about fields that others override,
   * that have no effect, or that only some operators accept.
   *
   * @default false
   */
  readonly strict?: boolean;
}
