import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { CommandError } from '../errors';
import { UsageError } from '../../text/usage-error';
import { tableLines } from '../../text/table';
import { onlyTarget } from '../target';
import { timeUntil } from '../../text/duration';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../model/resources';
import { beginOfRuns } from '../../model/begin-of-runs';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { parseSchedule, ScheduleError } from '../../schedule/expression';
import { nextRuns } from '../../schedule/next-runs';
import { yamlText } from '../../text/yaml';
import { localTimeZone, zonedTime } from '../../text/zoned-time';

const MOST = 1_000;

/** `sparkctl schedule`. */
export default command({
  usage: 'next NAME | next --expression=CRON [options]',
  description: 'Prints the next runs of a ScheduledSparkApplication, or of a cron expression, in the time zone of the schedule, and in yours '
    + 'if its clocks differ. It takes daylight saving time into account.',
  options: {
    ...CLUSTER_OPTIONS,
    'count': { short: 'c', value: 'N', default: '5', help: 'number of runs to print' },
    'expression': { value: 'CRON', help: 'a schedule instead of a name, such as "0 3 * * 1-5"; needs no cluster' },
    'time-zone': { value: 'ZONE', help: 'time zone of --expression, such as Europe/Berlin (default UTC)' },
    'output': { short: 'o', value: 'FORMAT', choices: ['json', 'yaml'], help: 'output format for scripts' },
  },
  examples: [
    ['sparkctl schedule next nightly', 'the next five runs'],
    ['sparkctl schedule next --expression="30 2 * * *" --time-zone=Europe/Berlin -c 400', 'all runs of a year'],
  ],
  exitCodes: { 1: 'there is no such schedule, or it cannot be read' },
  async run(values, [verb, ...words], { connect, io, now, signal, terminal }) {
    if (verb !== 'next') throw new UsageError(`write schedule next NAME${verb === undefined ? '' : `, not schedule ${verb}`}`);
    const count = Number(values.count);
    if (!Number.isInteger(count) || count < 1 || count > MOST) {
      throw new UsageError(`--count=${values.count}: write a number from 1 to ${MOST}`);
    }
    let { expression, 'time-zone': zone } = values;
    let suspended = false;
    let object: ScheduledSparkApplication | undefined;
    if (expression === undefined) {
      if (zone !== undefined) throw new UsageError('--time-zone needs --expression; a ScheduledSparkApplication has its own');
      const { client, namespace } = await connect(values);
      object = await client.get(SCHEDULED_SPARK_APPLICATIONS, onlyTarget(words, namespace, ['schedule']).ref, { signal });
      ({ schedule: expression, timeZone: zone, suspend: suspended = false } = object.spec);
    } else if (words.length > 0) {
      throw new UsageError('write NAME or --expression, not both');
    }
    try {
      const at = now();
      const schedule = parseSchedule(expression, zone);
      const { timeZone } = schedule;
      const runs = nextRuns(schedule, count, new Date(object ? beginOfRuns(object, schedule, at) : at)).map((run) => run.getTime());
      if (suspended) io.stderr('The schedule is suspended: these are the runs if it is resumed now.\n');
      if (values.output !== undefined) {
        const times = runs.map((run) => zonedTime(run, timeZone));
        io.stdout(dataText({ schedule: expression, timeZone, suspend: suspended, runs: times }, values.output));
      } else if (runs.length === 0) {io.stderr('The schedule has no further runs.\n');} else {io.stdout(`${runLines(runs, at, timeZone, terminal.timeZone ?? localTimeZone()).join('\n')}\n`);}
      return 0;
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
      if (values.expression !== undefined) throw new UsageError(error.message);
      throw new CommandError(error.message);
    }
  },
});

/** Runs of a schedule, for scripts. Fields are only added between versions. */
interface ScheduleData {
  readonly schedule: string;
  readonly timeZone: string;
  readonly suspend: boolean;
  /** Times with the offset of the time zone. */
  readonly runs: readonly string[];
}

function dataText(data: ScheduleData, format: 'json' | 'yaml'): string {
  return format === 'json' ? `${JSON.stringify(data, undefined, 2)}\n` : yamlText(data);
}

/** Returns a table of runs. @param own time zone of the user */
function runLines(runs: readonly number[], now: number, zone: string, own: string): string[] {
  const isSame = runs.every((run) => zonedTime(run, zone) === zonedTime(run, own));
  const zones = isSame ? [zone] : [zone, own];
  const header = zones.map((each, index) => `${index === 0 ? 'TIME' : 'YOUR TIME'} (${each})`);
  return tableLines([...header, 'IN'], runs.map((run) => [...zones.map((each) => zonedTime(run, each)), timeUntil(run - now)]));
}
