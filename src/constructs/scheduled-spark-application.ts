import { Construct } from 'constructs';
import { rejectProps } from '../props/_check';
import { withSchedulePropPath, scheduleSpec, templateViolations } from '../props/_schedule-spec';
import { ApiScheduledSparkApplication } from './api-scheduled-spark-application';
import { ScheduledSparkApplicationProps } from '../props/scheduled-spark-application-props';
import { SCHEDULED_SPARK_APPLICATION, ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import { parseSchedule } from '../schedule/expression';
import { nextRuns } from '../schedule/next-runs';
import type { Metadata } from '../rules/metadata';
import type { Problem } from '../model/problem';

/** Maximum number of times that `nextRuns` returns. */
const MAX_RUNS = 10_000;

/**
 * A Spark application that runs repeatedly, at the times of a schedule.
 *
 * The template is checked like a `SparkApplication`; invalid schedules and time zones are rejected
 * with the reason.
 */
export class ScheduledSparkApplication extends Construct {
  /** The custom resource. */
  public readonly resource: ApiScheduledSparkApplication;
  private readonly spec: ScheduledSparkApplicationSpec;

  constructor(scope: Construct, id: string, props: ScheduledSparkApplicationProps) {
    super(scope, id);
    const { spec, found } = scheduleSpec(props);
    rejectProps(SCHEDULED_SPARK_APPLICATION.kind, this.node.path, found);
    this.spec = spec;
    this.resource = new Resource(this, 'Resource', { metadata: props.metadata, spec: this.spec });
  }

  /** Name of the resource, for references from other charts. */
  public get name(): string {
    return this.resource.name;
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
    return nextRuns(parseSchedule(this.spec.schedule, this.spec.timeZone), count, after ?? new Date()).map((run) => run.toISOString());
  }
}

/** Resource of a ScheduledSparkApplication, which reports problems with the names of props. */
class Resource extends ApiScheduledSparkApplication {
  protected override _specViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Problem[] {
    return super._specViolations(metadata, spec).map(withSchedulePropPath);
  }

  protected override _templateViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Problem[] {
    return templateViolations(metadata, spec);
  }

  protected override _path(): string {
    return this.node.scope!.node.path;
  }
}
