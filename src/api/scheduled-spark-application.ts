import type { KindDefinition } from './kind';
import type { SparkApplicationSpec } from './spark-application';

/** Definition of the kind. */
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

/** Handling of a run that is due while a previous run is active. */
export enum ConcurrencyPolicy {
  /** The due run starts, and both run. */
  ALLOW = 'Allow',
  /** The due run is skipped. */
  FORBID = 'Forbid',
  /** The previous run is deleted, and the due run starts. */
  REPLACE = 'Replace',
}

/** Handling of runs that were due while no operator was running. */
export enum CatchUpPolicy {
  /** The latest one starts at once; the others are skipped. */
  LATEST = 'Latest',
  /** All are skipped; the next run starts at its scheduled time. */
  NONE = 'None',
  /** All start in order, each after the previous one has ended. Only the 100 latest are kept. */
  ALL = 'All',
}

/** Application to run and its schedule: the `spec` of a `ScheduledSparkApplication` manifest. */
export interface ScheduledSparkApplicationSpec {
  /**
   * Schedule of the runs. A cron expression has five fields (minute, hour, day of the month, month,
   * day of the week), such as `0 3 * * mon-fri`. Other forms are a descriptor (`@hourly`, `@daily`,
   * `@weekly`, `@monthly`, `@yearly`), or `@every` and a duration, such as `@every 1h30m`. If both
   * days of the month and days of the week are set, a run starts when either matches. The prefix
   * `TZ=<zone>` takes precedence over `timeZone`.
   *
   * @minLength 1
   * @maxLength 1024
   * @validationFrom api/schedule-rules SCHEDULE_RULES
   */
  readonly schedule: string;

  /**
   * Time zone of the schedule, such as `Europe/Berlin`. A time that clocks skip when they are set
   * forward has no run; a time that they show twice has two. `Local` is UTC.
   *
   * @default - UTC
   * @maxLength 255
   * @validationFrom api/schedule-rules TIME_ZONE_RULES
   */
  readonly timeZone?: string;

  /** Specification of the SparkApplication that is created for each run. */
  readonly template: SparkApplicationSpec;

  /**
   * Whether to stop starting runs. Active runs continue.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * Handling of a run that is due while a previous run is active.
   *
   * @default ConcurrencyPolicy.ALLOW
   * @emptyIsUnset
   */
  readonly concurrencyPolicy?: ConcurrencyPolicy;

  /**
   * Number of successful runs to keep. Older ones are deleted with all their objects.
   *
   * @default 1
   * @minimum 0
   * @maximum 1000
   */
  readonly successfulRunHistoryLimit?: number;

  /**
   * Number of failed runs to keep. Older ones are deleted with all their objects.
   *
   * @default 1
   * @minimum 0
   * @maximum 1000
   */
  readonly failedRunHistoryLimit?: number;

  /**
   * Seconds after its scheduled time within which a run can start. Later the run is skipped.
   *
   * @default - unlimited
   * @minimum 1
   * @format int64
   */
  readonly startingDeadlineSeconds?: number;

  /**
   * Handling of runs that were due while no operator was running, if they are within
   * `startingDeadlineSeconds`.
   *
   * @default CatchUpPolicy.LATEST
   */
  readonly catchUpPolicy?: CatchUpPolicy;
}
