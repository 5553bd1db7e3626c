import { command } from '../command';
import { interruptionOr } from '../errors';
import { followLogs } from '../log/follow';
import { LOG_OPTIONS, requestOf } from '../log/options';
import { printLogs } from '../log/print';
import { sinksOf } from '../log/sink';
import { subjectOf, titleOfSubject } from '../log/subject';
import type { LogDependencies } from '../log/dependencies';
import { printable } from '../../text/printable';
import { onlyTarget } from '../target';

/** `sparkctl log`: the logs of drivers and executors. */
export default command({
  usage: 'NAME [options]',
  description: [
    'Prints the log of the driver of a SparkApplication, or of its executors. connect/NAME is the server of a SparkConnect,',
    'schedule/NAME the newest run of a ScheduledSparkApplication.',
    '',
    'With --follow it waits for the driver to start, continues with the driver of the next attempt after a failure, and',
    'resumes the log after a lost connection: no line is missing, and none is repeated. Messages that are not part of the',
    'log go to standard error.',
    '',
    'A file or a pipe gets each byte unchanged. On a terminal, control characters are escaped.',
  ].join('\n'),
  options: LOG_OPTIONS,
  examples: [
    ['sparkctl log pi', 'the log of the driver so far'],
    ['sparkctl log etl --follow && ./next-step.sh', 'follow a job to its end, and continue if it succeeded'],
    ['sparkctl log etl --all -f --since=10m', 'the driver and its executors side by side'],
    ['sparkctl log schedule/nightly --tail=50', 'the end of the last run'],
  ],
  exitCodes: { 1: 'there is no log, or it cannot be read; with --follow also: the application has failed, or was deleted', 130: 'Ctrl-C ended it' },
  async run(values, words, { connect, io, terminal, now, signal }) {
    const { client, namespace } = await connect(values);
    const target = onlyTarget(words, namespace, ['application', 'connect', 'schedule']);
    const request = requestOf(values, target.kind, now());
    const print = (message: string) => io.stderr(printable(`sparkctl log: ${message}\n`));
    const dependencies: LogDependencies = { client, sinks: sinksOf(io, terminal), print, now, signal };
    const subject = await subjectOf(client, target, signal);
    if (target.kind === 'schedule') {
      const [schedule, run] = [target, subject].map(titleOfSubject);
      print(`the newest run of ${schedule} is ${run}`);
    };
    try {
      if (values.follow) return await followLogs(subject, request, dependencies);
      await printLogs(subject, request, dependencies);
      return 0;
    } catch (error) {
      throw interruptionOr(error, signal, titleOfSubject(subject));
    }
  },
});
