import type { KindDefinition } from './kind';
import type { SparkApplicationSpec } from './spark-application';

/** The kind as the API server knows it. */
export const SCHEDULED_SPARK_APPLICATION: KindDefinition = {
  group: 'sparkoperator.k8s.io',
  version: 'v1beta2',
  kind: 'ScheduledSparkApplication',
  plural: 'scheduledsparkapplications',
  singular: 'scheduledsparkapplication',
  shortNames: ['scheduledsparkapp'],
  maxNameLength: 63,
  maxNameReason: 'as it becomes a label of its runs',
  printerColumns: [
    { name: 'Schedule', jsonPath: '.spec.schedule', type: 'string' },
    { name: 'TimeZone', jsonPath: '.spec.timeZone', type: 'string' },
    { name: 'Suspend', jsonPath: '.spec.suspend', type: 'string' },
    { name: 'Last Run', jsonPath: '.status.lastRun', type: 'date' },
    { name: 'Last Run Name', jsonPath: '.status.lastRunName', type: 'string' },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
};

/** What happens when a run is due while one before it has not ended. */
export enum ConcurrencyPolicy {
  /** It begins, and both run. */
  ALLOW = 'Allow',
  /** It is skipped. */
  FORBID = 'Forbid',
  /** The run before it is deleted, and it begins. */
  REPLACE = 'Replace',
}

/** What happens to runs whose time passed while no operator was there to begin them. */
export enum CatchUpPolicy {
  /** The latest of them begins at once, the others are skipped. */
  LATEST = 'Latest',
  /** All are skipped: the next run is the next one on time. */
  NONE = 'None',
  /** All begin, one after the other has ended, the oldest first. At most the 100 latest are kept. */
  ALL = 'All',
}

/** What is run, and when, as in the `spec` of a `ScheduledSparkApplication` manifest. */
export interface ScheduledSparkApplicationSpec {
  /**
   * When the application is run: the five fields of cron (minute, hour, day of the month, month, day of the week), such as `0 3 * * mon-fri`, a descriptor
   * (`@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`), or `@every` and a duration, such as `@every 1h30m`. With days of the month and days of the week
   * both given, either is enough. Before all of them `TZ=<zone>` may stand, which wins over `timeZone`.
   *
   * @minLength 1
   * @maxLength 1024
   * @validationFrom api/schedule-rules SCHEDULE_RULES
   */
  readonly schedule: string;

  /**
   * The time zone whose clocks the schedule goes by, such as `Europe/Berlin`. A time that they skip when they are put forward has no run; one that they show twice
   * when they are put back has two. `Local` is UTC.
   *
   * @default - UTC
   * @maxLength 255
   * @validationFrom api/schedule-rules TIME_ZONE_RULES
   */
  readonly timeZone?: string;

  /** What each run is: the specification of the SparkApplication that is created for it. */
  readonly template: SparkApplicationSpec;

  /**
   * Whether no further runs begin. Those that have begun go on.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * What happens when a run is due while one before it has not ended.
   *
   * @default ConcurrencyPolicy.ALLOW
   * @emptyIsUnset
   */
  readonly concurrencyPolicy?: ConcurrencyPolicy;

  /**
   * How many runs that succeeded are kept. Older ones are deleted with all that belongs to them.
   *
   * @default 1
   * @minimum 0
   * @maximum 1000
   */
  readonly successfulRunHistoryLimit?: number;

  /**
   * How many runs that failed are kept. Older ones are deleted with all that belongs to them.
   *
   * @default 1
   * @minimum 0
   * @maximum 1000
   */
  readonly failedRunHistoryLimit?: number;

  /**
   * Seconds after its time within which a run may still begin. One that could not is skipped.
   *
   * @default - without end
   * @minimum 1
   * @format int64
   */
  readonly startingDeadlineSeconds?: number;

  /**
   * What happens to runs whose time passed while no operator was there to begin them, as far as `startingDeadlineSeconds` leaves any.
   *
   * @default CatchUpPolicy.LATEST
   */
  readonly catchUpPolicy?: CatchUpPolicy;
}
