import { codeAfter, WAIT_OPTIONS, waitingIn } from '../action/waiting';
import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { CommandError } from '../errors';
import { UsageError } from '../../text/usage-error';
import { objectsText, OUTPUT_OPTION } from '../output/objects';
import { printable } from '../../text/printable';
import { problemText } from '../problem';
import { targetOf } from '../target';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { RunNotStartedError } from '../../model/actions/errors';
import { startRunNow } from '../../model/actions/run-now';
import type { NamespacedRef } from '../../model/actions/actions';
import type { KubeClient } from '../../kube/client';
import { systemClock } from '../../kube/clock';
import type { KubeObject } from '../../kube/objects';
import { SPARK_APPLICATIONS } from '../../model/resources';

/** How long the operator has to begin a run, in milliseconds. */
const BEGIN_TIMEOUT = 60_000;

const OPTIONS = { ...CLUSTER_OPTIONS, ...WAIT_OPTIONS, output: OUTPUT_OPTION } as const;

/** `sparkctl run`. */
export const runCommand = command({
  usage: 'NAME… [options]',
  description: [
    'Starts one run of ScheduledSparkApplications now, whatever their schedules say; they may be suspended. It is waited',
    'until the operator has begun the runs, a minute at most, and they are printed: each is a SparkApplication.',
  ].join('\n'),
  options: OPTIONS,
  examples: [
    ['sparkctl run nightly', 'a run besides those that are planned'],
    ['sparkctl run nightly --wait --timeout=2h', 'and know by the exit code how it has ended'],
    ['sparkctl log --follow $(sparkctl run nightly -o name)', 'the log of a new run'],
  ],
  exitCodes: { ...WAIT_EXIT_CODES, 1: 'a run was not begun, as the concurrencyPolicy forbids it or no operator is there; the others were; with --wait also: a run has failed' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], context: Context): Promise<number> {
  if (words.length === 0) throw new UsageError('there is no NAME; `sparkctl list schedules` says what there is');
  const waiting = waitingIn(values);
  const { io, signal } = context;
  const { client, namespace } = await context.connect(values);
  const schedules = words.map((word) => targetOf(word, namespace, ['schedule']).ref);
  // At once: one that is not begun does not hold up the others.
  const outcomes = await Promise.all(schedules.map((ref) => begin(client, ref, signal)));
  const runs = outcomes.flatMap(({ object }) => (object ? [object] : []));
  for (const [index, { object, problem }] of outcomes.entries()) {
    const name = `scheduledsparkapplication/${schedules[index]!.name}`;
    if (problem !== undefined) io.stderr(printable(`${name}: ${problem}\n`));
    else if (values.output === undefined) io.stdout(printable(`${name} has begun sparkapplication/${object!.metadata.name}\n`));
  }
  if (values.output !== undefined && runs.length > 0) io.stdout(objectsText(values.output, SPARK_APPLICATIONS, runs, words.length > 1));
  return codeAfter(waiting, runs, runs.length < words.length ? 1 : 0, { ...context, client, quiet: values.output !== undefined });
}

/** What has come of a schedule: its run, or why there is none. */
async function begin(client: KubeClient, ref: NamespacedRef, signal: AbortSignal): Promise<{ readonly object?: KubeObject; readonly problem?: string }> {
  try {
    return { object: await startRunNow(client, ref, { clock: systemClock, random: Math.random, timeout: BEGIN_TIMEOUT, signal }) };
  } catch (error) {
    const problem = problemText(error instanceof RunNotStartedError ? new CommandError(error.message) : error);
    if (problem === undefined) throw error;
    return { problem };
  }
}
