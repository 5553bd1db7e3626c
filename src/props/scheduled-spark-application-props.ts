import { ApiObjectMetadata, Duration } from 'cdk8s';
import { Schedule } from './schedule';
import { SparkApplicationTemplate } from './spark-application-props';
import { CatchUpPolicy, ConcurrencyPolicy } from '../api/scheduled-spark-application';

/** What to run, and when. */
export interface ScheduledSparkApplicationProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /** When it is run. */
  readonly schedule: Schedule;

  /**
   * The time zone whose clocks the schedule goes by, such as `Europe/Berlin`. A time that they skip when they are put forward has no run; one that they show twice
   * when they are put back has two. Abbreviations such as `BST` and `PST` are refused, and so is another zone than the schedule's own (`TZ=…`).
   *
   * @default - UTC
   */
  readonly timeZone?: string;

  /** What each run is. */
  readonly template: SparkApplicationTemplate;

  /**
   * What happens when a run is due while one before it has not ended.
   *
   * @default ConcurrencyPolicy.ALLOW
   */
  readonly concurrency?: ConcurrencyPolicy;

  /**
   * How many runs that succeeded are kept, from 0 to 1000.
   *
   * @default 1
   */
  readonly successfulRunHistoryLimit?: number;

  /**
   * How many runs that failed are kept, from 0 to 1000.
   *
   * @default 1
   */
  readonly failedRunHistoryLimit?: number;

  /**
   * Begin no further runs, until this is `false` again. Those that have begun go on.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * How long after its time a run may still begin.
   *
   * @default - without end
   */
  readonly startingDeadline?: Duration;

  /**
   * What happens to runs whose time passed while no operator was there to begin them.
   *
   * @default CatchUpPolicy.LATEST
   */
  readonly catchUp?: CatchUpPolicy;
}
