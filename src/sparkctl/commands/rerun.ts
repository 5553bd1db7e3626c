import { doToEach } from '../action/each';
import { codeAfter, WAIT_OPTIONS, waitingIn } from '../action/waiting';
import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { rerun as rerunApplication } from '../../model/actions/actions';
import type { KubeObject } from '../../kube/objects';

/** `sparkctl rerun`. */
export default command({
  usage: 'NAME… [options]',
  description: 'Runs SparkApplications again, in any state: a current run is stopped first, and attempts are counted anew. '
    + 'A suspended application runs when it is resumed.',
  options: { ...CLUSTER_OPTIONS, ...WAIT_OPTIONS },
  examples: [
    ['sparkctl rerun pi', 'run a job again, with the same specification'],
    ['sparkctl rerun pi --wait', 'run it again; the exit code shows the outcome'],
  ],
  exitCodes: { ...WAIT_EXIT_CODES, 1: 'it failed for one of them, but not for the others; with --wait also: an application has failed' },
  async run(values, words, context) {
    const waiting = waitingIn(values);
    const { io, now, signal } = context;
    const { client, namespace } = await context.connect(values);
    const begun: KubeObject[] = [];
    const code = await doToEach(words, {
      namespace, io, allowed: ['application'], done: 'is run again',
      act: async ({ ref }) => { begun.push(await rerunApplication(client, ref, new Date(now()), { signal })); },
    });
    return codeAfter(waiting, begun, code, { ...context, client });
  },
});
