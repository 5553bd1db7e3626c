import { beginRun } from '../action/begin-run';
import { codeAfter, WAIT_FAILURE, WAIT_OPTIONS, waitingIn } from '../action/waiting';
import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { UsageError } from '../../text/usage-error';
import { objectsText, OUTPUT_OPTION } from '../output/objects';
import { printMessage } from '../output/wrapped-output';
import { titleOf } from '../output/title';
import { about } from '../problem';
import { printable } from '../../text/printable';
import { targetOf } from '../target';
import { WAIT_EXIT_CODES } from '../wait/follow';
import type { NamespacedRef } from '../../model/actions/actions';
import { systemClock } from '../../kube/clock';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../model/resources';

/** `sparkctl run`. */
export default command({
  usage: 'NAME… [options]',
  description: [
    'Starts one run of ScheduledSparkApplications now, regardless of their schedules and even if they are suspended. It',
    'waits up to a minute until the operator has started the runs, and prints them: each is a SparkApplication. If the',
    'concurrencyPolicy is Forbid and another run is active, the operator skips the run. If no operator runs, the command',
    'only requests the runs: the next operator starts or skips them.',
  ].join('\n'),
  options: { ...CLUSTER_OPTIONS, ...WAIT_OPTIONS, output: OUTPUT_OPTION },
  examples: [
    ['sparkctl run nightly', 'an additional run'],
    ['sparkctl run nightly --wait --timeout=2h', 'start a run; the exit code shows its outcome'],
    ['sparkctl log --follow $(sparkctl run nightly -o name)', 'the log of a new run'],
  ],
  exitCodes: {
    ...WAIT_EXIT_CODES,
    1: `a run is skipped, as the concurrencyPolicy forbids it, or only requested, as no operator runs; ${WAIT_FAILURE}`,
  },
  async run(values, words, context) {
    if (words.length === 0) throw new UsageError('NAME is missing; `sparkctl list schedules` lists existing ones');
    const waiting = waitingIn(values);
    const { io, signal } = context;
    const { client, namespace } = await context.connect(values);
    const schedules = words.map((word) => targetOf(word, namespace, ['schedule']).ref);
    // Concurrently, so that a run that does not start does not delay the others.
    const outcomes = await Promise.all(schedules.map((ref) => beginRun(client, ref, {
      clock: systemClock, random: Math.random, signal,
      onNote: (note) => io.stderr(printable(`sparkctl run: ${titleOfSchedule(ref)}: ${note}\n`)),
    })));
    const runs = outcomes.flatMap(({ run }) => (run ? [run] : []));
    for (const [index, { run, problem }] of outcomes.entries()) {
      const title = titleOfSchedule(schedules[index]!);
      if (problem !== undefined) {
        io.stderr(printable(`sparkctl run: ${about(title, problem)}\n`));
      } else if (values.output === undefined) {
        printMessage(context, printable(`${title} has started ${titleOf({ kind: SPARK_APPLICATIONS.kind, metadata: run!.metadata })}`));
      }
    }
    if (values.output !== undefined && runs.length > 0) io.stdout(objectsText(values.output, SPARK_APPLICATIONS, runs, words.length > 1));
    return codeAfter(waiting, runs, runs.length < words.length ? 1 : 0, { ...context, client, quiet: values.output !== undefined });
  },
});

function titleOfSchedule(metadata: NamespacedRef): string {
  return titleOf({ kind: SCHEDULED_SPARK_APPLICATIONS.kind, metadata });
}
