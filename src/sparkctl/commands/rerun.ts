import { doToEach } from '../action/each';
import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context, type Values } from '../command';
import { rerun as rerunApplication } from '../../client/actions';

const OPTIONS = { ...CLUSTER_OPTIONS } as const;

/** `sparkctl rerun`. */
export const rerun = command({
  usage: 'NAME… [options]',
  description: 'Runs SparkApplications again, in whatever state they are: what runs is ended first, and attempts are counted anew. One that is suspended is run when it is resumed.',
  options: OPTIONS,
  examples: [
    ['sparkctl rerun pi', 'once more, with the same specification'],
  ],
  exitCodes: { 1: 'it could not be done for one of them; it was for the others' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], { connect, io, now, signal }: Context): Promise<number> {
  const { client, namespace } = await connect(values);
  return doToEach(words, {
    namespace, io, allowed: ['application'], done: 'is run again',
    act: ({ ref }) => rerunApplication(client, ref, new Date(now()), { signal }),
  });
}
