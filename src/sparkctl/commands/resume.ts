import { doToEach } from '../action/each';
import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context, type Values } from '../command';
import { resume as resumeApplication, resumeSchedule } from '../../client/actions';

const OPTIONS = { ...CLUSTER_OPTIONS } as const;

/** `sparkctl resume`. */
export const resume = command({
  usage: 'NAME… [options]',
  description: 'Lets suspended SparkApplications run from their beginning, and schedule/NAME start runs again.',
  options: OPTIONS,
  examples: [
    ['sparkctl resume pi schedule/nightly', 'go on with both'],
  ],
  exitCodes: { 1: 'it could not be done for one of them; it was for the others' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], { connect, io, signal }: Context): Promise<number> {
  const { client, namespace } = await connect(values);
  return doToEach(words, {
    namespace, io, allowed: ['application', 'schedule'], done: 'resumed',
    act: ({ kind, ref }) => (kind === 'schedule' ? resumeSchedule : resumeApplication)(client, ref, { signal }),
  });
}
