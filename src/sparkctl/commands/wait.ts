import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { targetOf } from '../target';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { TIMEOUT_OPTION, timeoutOf } from '../wait/timeout';
import { waitFor } from '../wait/wait';
import { ApplicationState } from '../../api/states';

const STATES = Object.values(ApplicationState).filter((state) => state !== ApplicationState.NEW);

const OPTIONS = {
  ...CLUSTER_OPTIONS,
  for: { value: 'STATE,…', help: `the states that are waited for: ${STATES.join(', ')} (default: the end, COMPLETED or FAILED)` },
  timeout: TIMEOUT_OPTION,
  quiet: { short: 'q', help: 'show nothing meanwhile' },
} as const;

/** `sparkctl wait`. */
export const wait = command({
  usage: 'NAME… [options]',
  description: 'Waits until SparkApplications have ended, and shows meanwhile how they are. The exit code says how they have ended; of several it is the worst.',
  options: OPTIONS,
  examples: [
    ['sparkctl wait pi --timeout=30m', 'the end of a job, in a script'],
    ['sparkctl wait pi --for=RUNNING', 'until its driver runs'],
  ],
  exitCodes: WAIT_EXIT_CODES,
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], context: Context): Promise<number> {
  if (words.length === 0) throw new UsageError('there is no NAME; `sparkctl list` says what there is');
  const until = values.for?.toUpperCase().split(',').map((word) => stateOf(word));
  const timeout = timeoutOf(values.timeout);
  const { client, namespace } = await context.connect(values);
  const awaited = words.map((word) => targetOf(word, namespace, ['application']).ref);
  return waitFor(client, awaited, context, { until, timeout, quiet: values.quiet });
}

function stateOf(word: string): ApplicationState {
  const state = STATES.find((each) => each === word);
  if (state === undefined) throw new UsageError(`--for: there is no state ${word}; write some of ${STATES.join(', ')}`);
  return state;
}
