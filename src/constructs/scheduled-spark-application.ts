import { Lazy } from 'cdk8s';
import { withoutRepetitions } from '../props/_prop-types';
import { Construct } from 'constructs';
import { completeApplication } from '../props/_application-spec';
import { ChangingSpec } from '../props/_changing-spec';
import { completeSchedule, scheduleSpec, templateViolations, withSchedulePropPath } from '../props/_schedule-spec';
import { withNamespace } from './_job-namespace';
import { ApiScheduledSparkApplication, type ApiScheduledSparkApplicationProps, normalizedSchedule } from './api-scheduled-spark-application';
import { SparkWorkload } from './spark-workload';
import { rejectConstructs } from '../props/_foreign-constructs';
import { ScheduledSparkApplicationProps } from '../props/scheduled-spark-application-props';
import { ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import { parseSchedule } from '../schedule/expression';
import { nextRuns } from '../schedule/next-runs';
import type { Metadata } from '../rules/metadata';
import type { Problem } from '../model/problem';

/** Maximum number of times that `nextRuns` returns. */
const MAX_RUNS = 10_000;

/**
 * A Spark application that runs repeatedly, at the times of a schedule.
 *
 * The methods change the template. It is checked like a `SparkApplication`; invalid schedules and
 * time zones are rejected with the reason.
 */
export class ScheduledSparkApplication extends SparkWorkload {
  /** The custom resource. */
  public readonly resource: ApiScheduledSparkApplication;

  /** @internal */
  public readonly _props: ScheduledSparkApplicationProps;

  /** @internal */
  protected readonly _own: ChangingSpec;
  private readonly schedule: Pick<ScheduledSparkApplicationSpec, 'schedule' | 'timeZone'>;

  constructor(scope: Construct, id: string, props: ScheduledSparkApplicationProps) {
    super(scope, id);
    rejectConstructs(this, props);
    const { props: valid, spec, template, found } = scheduleSpec(props, this);
    this._props = valid;
    this._own = template;
    this.schedule = spec;
    this.resource = new Resource(this, {
      metadata: withNamespace(this, valid), spec: Lazy.any({ produce: () => normalizedSchedule(completeSchedule(spec, this._own, valid)) }),
    }, found);
  }

  /** @internal */
  public get _sparkVersion(): string | undefined {
    return completeApplication(this._own, this._props.template).sparkVersion;
  }

  /**
   * Returns the next scheduled times, to check the schedule before applying it. With
   * `Schedule.every` they start from `after`.
   *
   * @param count Number of times, from 1 to 10,000. There are fewer if the schedule ends before.
   * @param after Instant after which the times are. Default: now.
   * @returns Times in UTC, such as `2026-03-01T03:00:00.000Z`.
   */
  public nextRuns(count: number, after?: Date): string[] {
    if (!Number.isInteger(count) || count < 1 || count > MAX_RUNS) {
      throw new Error(
        `ScheduledSparkApplication at ${this.node.path}: nextRuns: count = ${count} must be a whole number from 1 to ${MAX_RUNS}`,
      );
    }
    if (after !== undefined && Number.isNaN(after.getTime())) {
      throw new Error(`ScheduledSparkApplication at ${this.node.path}: nextRuns: after is not a time`);
    }
    const { schedule, timeZone } = this.schedule;
    return nextRuns(parseSchedule(schedule, timeZone), count, after ?? new Date()).map((run) => run.toISOString());
  }
}

/** Resource of a ScheduledSparkApplication, which reports problems with the names of props. */
class Resource extends ApiScheduledSparkApplication {
  constructor(schedule: ScheduledSparkApplication, props: ApiScheduledSparkApplicationProps, private readonly found: readonly Problem[]) {
    super(schedule, 'Resource', props);
  }

  protected override _violations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Problem[] {
    return withoutRepetitions(this.found, super._violations(metadata, spec));
  }

  protected override _specViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Problem[] {
    return super._specViolations(metadata, spec).map(withSchedulePropPath);
  }

  protected override _templateViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Problem[] {
    return templateViolations(metadata, spec, this._known());
  }
}
