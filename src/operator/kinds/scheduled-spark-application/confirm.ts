import { ANNOTATION_RUN_NOW, LABEL_SCHEDULED_APP_NAME } from '../../../api/labels';
import { ignoring, isNotFound } from '../../../kube/errors';
import type { TimestampPrecision } from '../../../model/timestamp-precision';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../../model/resources';
import type { SparkApplication } from '../../../model/spark-application';
import { transform } from '../spark-application/transform';
import type { Context } from './decision';
import { isRunOf, timeIn, type ScheduledSparkApplication } from '../../../model/scheduled-spark-application';
import type { Performer } from './perform';
import { catchesUpAll } from './catch-up';
import { canOverlap } from './concurrency';
import { planOf } from './plan';
import { runName, runNowName } from '../../../model/run-names';
import { transform as transformSchedule } from './transform';

/**
 * Reads the current schedule, and those of its runs that the caches might lack. The last run that
 * another process created before it ended might be one of them. If runs can overlap, the schedule
 * is enough. Its status has the runs that have begun; the name of the next run finds one that the
 * status lacks.
 *
 * @returns undefined if the schedule is gone
 */
export async function confirm(
  { client, signal }: Performer, { metadata }: ScheduledSparkApplication, isCached: (name: string) => boolean, context: Context,
): Promise<{ readonly schedule: ScheduledSparkApplication; readonly runs: readonly SparkApplication[] } | undefined> {
  const { namespace } = metadata;
  const read = await client.get(SCHEDULED_SPARK_APPLICATIONS, metadata, { signal }).catch(ignoring(isNotFound));
  if (!read || read.metadata.uid !== metadata.uid) return undefined;
  const schedule = transformSchedule(read);
  const { spec } = schedule;
  if (canOverlap(spec) && !catchesUpAll(spec)) return { schedule, runs: [] };
  const runs: SparkApplication[] = [];
  if (hasMissedSeveral(schedule, context)) {
    for await (const run of client.list(
      SPARK_APPLICATIONS, { namespace, labelSelector: `${LABEL_SCHEDULED_APP_NAME}=${metadata.name}`, signal },
    )) {
      if (isRunOf(run, schedule)) runs.push(transform(run));
    }
    return { schedule, runs };
  }
  for (const name of lastNames(schedule, context.precision).filter((each) => !isCached(each))) {
    const run = await client.get(SPARK_APPLICATIONS, { namespace, name }, { signal }).catch(ignoring(isNotFound));
    if (run) runs.push(transform(run));
  }
  return { schedule, runs };
}

/**
 * Whether several runs were missed. Then another process might have created any of them without
 * writing it into the status.
 */
function hasMissedSeveral(schedule: ScheduledSparkApplication, context: Context): boolean {
  const plan = planOf(schedule, [], context);
  if (plan.kind !== 'planned') return false;
  const planned = timeIn(schedule.status?.nextRun);
  const second = planned === undefined ? undefined : plan.times.next(new Date(planned));
  return second !== undefined && second.getTime() <= context.now;
}

/**
 * Returns the names of the last run in the status, and of the runs that might have been created
 * without a write of the status.
 */
function lastNames(schedule: ScheduledSparkApplication, precision: TimestampPrecision): string[] {
  const { metadata, status } = schedule;
  const next = timeIn(status?.nextRun);
  const token = metadata.annotations?.[ANNOTATION_RUN_NOW];
  const names = [
    status?.lastRunName, next === undefined ? undefined : runName(metadata.name, next, precision),
    token ? runNowName(schedule, token) : undefined,
  ];
  return [...new Set(names.flatMap((name) => name || []))];
}
