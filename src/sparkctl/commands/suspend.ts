import { doToEach } from '../action/each';
import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { suspend as suspendApplication, suspendSchedule } from '../../model/actions/actions';

const OPTIONS = { ...CLUSTER_OPTIONS } as const;

/** `sparkctl suspend`. */
export const suspend = command({
  usage: 'NAME… [options]',
  description: 'Suspends SparkApplications: what runs of them is ended, and nothing begins until they are resumed. Of schedule/NAME no further runs are started.',
  options: OPTIONS,
  examples: [
    ['sparkctl suspend pi', 'end a job, and keep it'],
    ['sparkctl suspend schedule/nightly', 'no runs for now'],
  ],
  exitCodes: { 1: 'it could not be done for one of them; it was for the others' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], { connect, io, signal }: Context): Promise<number> {
  const { client, namespace } = await connect(values);
  return doToEach(words, {
    namespace, io, allowed: ['application', 'schedule'], done: 'suspended',
    act: ({ kind, ref }) => (kind === 'schedule' ? suspendSchedule : suspendApplication)(client, ref, { signal }),
  });
}
