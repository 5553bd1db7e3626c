import { command, type Context } from '../command';
import { followLogs } from '../log/follow';
import { LOG_OPTIONS, requestOf, type LogValues } from '../log/options';
import { printLogs } from '../log/print';
import { sinksOf } from '../log/sink';
import { subjectOf } from '../log/subject';
import type { LogDependencies } from '../log/world';
import { printable } from '../../text/printable';
import { onlyTarget } from '../target';

/** `sparkctl log`: what drivers and executors have written, wherever they are. */
export const log = command({
  usage: 'NAME [options]',
  description: [
    'Prints the log of the driver of a SparkApplication, or of its executors. connect/NAME is the server of a SparkConnect,',
    'schedule/NAME the newest run of a ScheduledSparkApplication.',
    '',
    'With --follow it waits for the driver to start, goes on with the driver of the next attempt when one has failed, and',
    'takes up the log where it was when the connection is lost: no line is missing, and none comes twice. What is not of',
    'the log is told on standard error.',
    '',
    'A file or a pipe gets each byte as it was written. On a terminal control characters are shown and not obeyed.',
  ].join('\n'),
  options: LOG_OPTIONS,
  examples: [
    ['sparkctl log pi', 'what the driver has written so far'],
    ['sparkctl log etl --follow && ./next-step.sh', 'watch a job to its end, and go on if it has succeeded'],
    ['sparkctl log etl --all -f --since=10m', 'the driver and its executors side by side'],
    ['sparkctl log schedule/nightly --tail=50', 'the end of the last run'],
  ],
  exitCodes: { 1: 'there is no log, or the cluster does not give it; with --follow also: the application has failed, or was deleted' },
  run,
});

async function run(values: LogValues, words: readonly string[], { connect, io, terminal, now, signal }: Context): Promise<number> {
  const { client, namespace } = await connect(values);
  const target = onlyTarget(words, namespace, ['application', 'connect', 'schedule']);
  const request = requestOf(values, target.kind, now());
  const tell = (message: string) => io.stderr(printable(`sparkctl log: ${message}\n`));
  const world: LogDependencies = { client, sinks: sinksOf(io, terminal), print: tell, now, signal };
  const subject = await subjectOf(client, target, signal);
  if (target.kind === 'schedule') tell(`the newest run of ${target.ref.name} is ${subject.ref.name}`);
  if (values.follow) return followLogs(subject, request, world);
  await printLogs(subject, request, world);
  return 0;
}
