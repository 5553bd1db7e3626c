import { doToEach } from '../action/each';
import { codeAfter, WAIT_OPTIONS, waitingIn } from '../action/waiting';
import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { rerun as rerunApplication } from '../../model/actions/actions';
import type { KubeObject } from '../../kube/objects';

const OPTIONS = { ...CLUSTER_OPTIONS, ...WAIT_OPTIONS } as const;

/** `sparkctl rerun`. */
export const rerun = command({
  usage: 'NAME… [options]',
  description: 'Runs SparkApplications again, in whatever state they are: what runs is ended first, and attempts are counted anew. One that is suspended is run when it is resumed.',
  options: OPTIONS,
  examples: [
    ['sparkctl rerun pi', 'once more, with the same specification'],
    ['sparkctl rerun pi --wait', 'once more, and know by the exit code how it has ended'],
  ],
  exitCodes: { ...WAIT_EXIT_CODES, 1: 'it could not be done for one of them, and was for the others; with --wait also: an application has failed' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], context: Context): Promise<number> {
  const waiting = waitingIn(values);
  const { io, now, signal } = context;
  const { client, namespace } = await context.connect(values);
  const begun: KubeObject[] = [];
  const code = await doToEach(words, {
    namespace, io, allowed: ['application'], done: 'is run again',
    act: async ({ ref }) => { begun.push(await rerunApplication(client, ref, new Date(now()), { signal })); },
  });
  return codeAfter(waiting, begun, code, { ...context, client });
}
