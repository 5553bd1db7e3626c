import { Construct } from 'constructs';
import { refuseProps } from '../props/_check';
import { inWordsOfScheduleProps, scheduleSpec, templateViolations } from '../props/_schedule-spec';
import { ApiScheduledSparkApplication } from './api-scheduled-spark-application';
import { ScheduledSparkApplicationProps } from '../props/scheduled-spark-application-props';
import { SCHEDULED_SPARK_APPLICATION, ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import { parseSchedule } from '../schedule/expression';
import { nextRuns } from '../schedule/next-runs';
import type { Metadata } from '../rules/metadata';
import type { Violation } from '../model/problem';

/** More than anybody reads. */
const MAX_RUNS = 10_000;

/**
 * A Spark application that is run again and again, at the times of a schedule.
 *
 * What a `SparkApplication` refuses is refused in the template, too; a schedule or a time zone that nobody can read is refused with the reason.
 */
export class ScheduledSparkApplication extends Construct {
  /** The custom resource. */
  public readonly resource: ApiScheduledSparkApplication;
  private readonly spec: ScheduledSparkApplicationSpec;

  constructor(scope: Construct, id: string, props: ScheduledSparkApplicationProps) {
    super(scope, id);
    const { spec, found } = scheduleSpec(props);
    refuseProps(SCHEDULED_SPARK_APPLICATION.kind, this.node.path, found);
    this.spec = spec;
    this.resource = new Resource(this, 'Resource', { metadata: props.metadata, spec: this.spec });
  }

  /** Name of the resource, by which other charts refer to it. */
  public get name(): string {
    return this.resource.name;
  }

  /**
   * The next times at which it is run, to look at before it is applied. With `Schedule.every` they are counted from `after`.
   *
   * @param count How many of them, from 1 to 10,000. There are fewer if the schedule ends before.
   * @param after The instant after which they are. Default: now.
   * @returns The times in UTC, such as `2026-03-01T03:00:00.000Z`.
   */
  public nextRuns(count: number, after?: Date): string[] {
    if (!Number.isInteger(count) || count < 1 || count > MAX_RUNS) {
      throw new Error(`ScheduledSparkApplication at ${this.node.path}: nextRuns: count (${count}) must be a whole number from 1 to ${MAX_RUNS}`);
    }
    if (after !== undefined && Number.isNaN(after.getTime())) throw new Error(`ScheduledSparkApplication at ${this.node.path}: nextRuns: after is not a time`);
    return nextRuns(parseSchedule(this.spec.schedule, this.spec.timeZone), count, after ?? new Date()).map((run) => run.toISOString());
  }
}

/** The resource of a ScheduledSparkApplication: it speaks of its props. */
class Resource extends ApiScheduledSparkApplication {
  protected override _specViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Violation[] {
    return super._specViolations(metadata, spec).map(inWordsOfScheduleProps);
  }

  protected override _templateViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Violation[] {
    return templateViolations(metadata, spec);
  }

  protected override _path(): string {
    return this.node.scope!.node.path;
  }
}
