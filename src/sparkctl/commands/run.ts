import { doToEach } from '../action/each';
import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context, type Values } from '../command';
import { runNow } from '../../client/actions';

const OPTIONS = { ...CLUSTER_OPTIONS } as const;

/** `sparkctl run`. */
export const runCommand = command({
  usage: 'NAME… [options]',
  description: 'Starts one run of ScheduledSparkApplications now, whatever their schedules say; they may be suspended.',
  options: OPTIONS,
  examples: [
    ['sparkctl run nightly', 'a run besides those that are planned'],
  ],
  exitCodes: { 1: 'it could not be done for one of them; it was for the others' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], { connect, io, now, signal }: Context): Promise<number> {
  const { client, namespace } = await connect(values);
  return doToEach(words, {
    namespace, io, allowed: ['schedule'], done: 'is asked for a run',
    act: ({ ref }) => runNow(client, ref, new Date(now()), { signal }),
  });
}
