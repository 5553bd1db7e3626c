import { doToEach } from '../action/each';
import { codeAfter, WAIT_OPTIONS, waitingIn } from '../action/waiting';
import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { resume as resumeApplication, resumeSchedule } from '../../model/actions/actions';
import type { KubeObject } from '../../kube/objects';

const OPTIONS = { ...CLUSTER_OPTIONS, ...WAIT_OPTIONS } as const;

/** `sparkctl resume`. */
export const resume = command({
  usage: 'NAME… [options]',
  description: 'Lets suspended SparkApplications run from their beginning, and schedule/NAME start runs again. --wait is about the applications.',
  options: OPTIONS,
  examples: [
    ['sparkctl resume pi schedule/nightly', 'go on with both'],
    ['sparkctl resume pi --wait', 'and know by the exit code how it has ended'],
  ],
  exitCodes: { ...WAIT_EXIT_CODES, 1: 'it could not be done for one of them, and was for the others; with --wait also: an application has failed' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], context: Context): Promise<number> {
  const waiting = waitingIn(values);
  const { io, signal } = context;
  const { client, namespace } = await context.connect(values);
  const begun: KubeObject[] = [];
  const code = await doToEach(words, {
    namespace, io, allowed: ['application', 'schedule'], done: 'resumed',
    act: async ({ kind, ref }) => {
      if (kind === 'schedule') await resumeSchedule(client, ref, { signal });
      else begun.push(await resumeApplication(client, ref, { signal }));
    },
  });
  return codeAfter(waiting, begun, code, { ...context, client });
}
