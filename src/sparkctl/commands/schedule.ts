import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { tableLines } from '../../text/table';
import { onlyTarget } from '../target';
import { shortDuration } from '../../text/duration';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../model/resources';
import { parseSchedule, ScheduleError } from '../../schedule/expression';
import { nextRuns } from '../../schedule/next-runs';

const OPTIONS = {
  ...CLUSTER_OPTIONS,
  'count': { short: 'c', value: 'N', default: '5', help: 'how many times' },
  'expression': { value: 'CRON', help: 'a schedule in place of a name, such as "0 3 * * 1-5"; no cluster is asked' },
  'time-zone': { value: 'ZONE', help: 'of --expression, such as Europe/Berlin (default UTC)' },
} as const;

const MOST = 1_000;

/** `sparkctl schedule`. */
export const schedule = command({
  usage: 'next NAME | next --expression=CRON [options]',
  description: 'Prints when a ScheduledSparkApplication runs next, changes of daylight saving time included; or when a schedule would that nobody has created yet.',
  options: OPTIONS,
  examples: [
    ['sparkctl schedule next nightly', 'the next five runs'],
    ['sparkctl schedule next --expression="30 2 * * *" --time-zone=Europe/Berlin -c 400', 'what a schedule means, over a year'],
  ],
  exitCodes: { 1: 'there is no such schedule, or it cannot be read' },
  run,
});

async function run(values: Values<typeof OPTIONS>, [verb, ...words]: readonly string[], { connect, io, now, signal }: Context): Promise<number> {
  if (verb !== 'next') throw new UsageError(`write schedule next NAME${verb === undefined ? '' : `, not schedule ${verb}`}`);
  const count = Number(values.count);
  if (!Number.isInteger(count) || count < 1 || count > MOST) throw new UsageError(`--count=${values.count}: write a number from 1 to ${MOST}`);
  let { expression, 'time-zone': zone } = values;
  let suspended = false;
  if (expression === undefined) {
    if (zone !== undefined) throw new UsageError('--time-zone goes with --expression; a ScheduledSparkApplication has its own');
    const { client, namespace } = await connect(values);
    const { spec } = await client.get(SCHEDULED_SPARK_APPLICATIONS, onlyTarget(words, namespace, ['schedule']).ref, { signal });
    ({ schedule: expression, timeZone: zone, suspend: suspended = false } = spec);
  } else if (words.length > 0) {
    throw new UsageError('name a schedule, or write --expression; not both');
  }
  try {
    const at = now();
    const runs = nextRuns(parseSchedule(expression, zone), count, new Date(at));
    if (suspended) io.stderr('It is suspended: these are the times if it is resumed now.\n');
    if (runs.length === 0) io.stderr('It has no further time.\n');
    else io.stdout(`${tableLines(['TIME (UTC)', 'IN'], runs.map((time) => [time.toISOString().replace('.000Z', 'Z'), shortDuration(time.getTime() - at)])).join('\n')}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    throw new UsageError(error.message);
  }
}
