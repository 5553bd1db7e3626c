import { reportDelay } from '../action/delay';
import { rejectDeletion } from '../action/deletion';
import { doToEach } from '../action/each';
import { codeAfter, WAIT_OPTIONS, waitingIn } from '../action/waiting';
import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { CommandError } from '../errors';
import type { KindName, Suspendable } from '../target';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { resume as resumeApplication, resumeSchedule } from '../../model/actions/actions';
import { hasEnded } from '../../model/actions/current';
import { stateOf, type SparkApplication, type WholeApplication } from '../../model/spark-application';

/** Returns the state of an application, as the rest of a sentence. */
function stateText(kind: KindName, object: Suspendable): string {
  return kind === 'application' ? `, its state is ${stateOf(object as SparkApplication) || 'NEW'}` : '';
}

/** `sparkctl resume`. */
export default command({
  usage: 'NAME… [options]',
  description: 'Runs suspended SparkApplications from their beginning, and lets schedule/NAME start runs again. '
    + 'One that is not suspended stays unchanged, and is an error. --wait only waits for applications.',
  options: { ...CLUSTER_OPTIONS, ...WAIT_OPTIONS },
  examples: [
    ['sparkctl resume pi schedule/nightly', 'resume a job and a schedule'],
    ['sparkctl resume pi --wait', 'resume a job; the exit code shows the outcome'],
  ],
  exitCodes: {
    ...WAIT_EXIT_CODES,
    1: 'it failed for one of them, or one is not suspended, but not for the others; with --wait also: an application has failed',
  },
  async run(values, words, context) {
    const waiting = waitingIn(values);
    const { io, terminal, signal } = context;
    const { client, namespace } = await context.connect(values);
    const begun: WholeApplication[] = [];
    const code = await doToEach(words, {
      command: 'resume', client, namespace, io, terminal, signal, allowed: ['application', 'schedule'], done: 'resumed',
      async act({ kind, resource, ref }) {
        const object: Suspendable = await client.get(resource, ref, { signal });
        rejectDeletion(object);
        if (!object.spec?.suspend) throw new CommandError(`it is not suspended${stateText(kind, object)}; nothing was changed`);
        if (kind === 'schedule') {
          await resumeSchedule(client, ref, { signal });
          return undefined;
        }
        const resumed = await resumeApplication(client, ref, { signal });
        if (hasEnded(object as WholeApplication)) {
          return `resumed, but it has ended and is ${stateOf(resumed)}; \`sparkctl rerun ${ref.name} -n ${ref.namespace}\` runs it again`;
        }
        begun.push(resumed);
        return undefined;
      },
    });
    await reportDelay(client, begun, context);
    return codeAfter(waiting, begun, code, { ...context, client });
  },
});
