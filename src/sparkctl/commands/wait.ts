import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { checkPermission } from '../own-permission';
import { UsageError } from '../../text/usage-error';
import { targetOf } from '../target';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { TIMEOUT_OPTION, timeoutOf } from '../wait/timeout';
import { waitFor } from '../wait/wait';
import { ApplicationState } from '../../api/states';
import { SPARK_APPLICATIONS } from '../../model/resources';

const STATES = Object.values(ApplicationState).filter((state) => state !== ApplicationState.NEW);

/** `sparkctl wait`. */
export default command({
  usage: 'NAME… [options]',
  description: 'Waits until SparkApplications have ended, and shows their progress. The exit code shows the worst outcome.',
  options: {
    ...CLUSTER_OPTIONS,
    for: { value: 'STATE,…', suggestions: STATES, help: `states to wait for: ${STATES.join(', ')} (default: COMPLETED or FAILED)` },
    timeout: TIMEOUT_OPTION,
    quiet: { short: 'q', help: 'show no progress' },
  },
  examples: [
    ['sparkctl wait pi --timeout=30m', 'wait for the end of a job, in a script'],
    ['sparkctl wait pi --for=RUNNING', 'until its driver runs'],
  ],
  exitCodes: WAIT_EXIT_CODES,
  async run(values, words, context) {
    if (words.length === 0) throw new UsageError('NAME is missing; `sparkctl list` lists existing ones');
    const until = values.for?.toUpperCase().split(',').map((word) => stateOf(word));
    const timeout = timeoutOf(values.timeout);
    const { client, namespace } = await context.connect(values);
    const refs = words.map((word) => targetOf(word, namespace, ['application']).ref);
    const awaited = [...new Map(refs.map((ref) => [ref.name, ref])).values()];
    const { group, plural } = SPARK_APPLICATIONS;
    for (const { name } of awaited) await checkPermission(client, { group, resource: plural, verb: 'watch', namespace, name }, context.signal);
    return waitFor(client, awaited, context, { until, timeout, quiet: values.quiet });
  },
});

function stateOf(word: string): ApplicationState {
  const state = STATES.find((each) => each === word);
  if (state === undefined) {
    const reason = word === 'NEW' ? 'an application leaves this state, and never returns to it' : 'there is no such state';
    throw new UsageError(`--for=${word}: ${reason}; write some of ${STATES.join(', ')}`);
  }
  return state;
}
