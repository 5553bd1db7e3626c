import { reportDelay } from '../action/delay';
import { rejectDeletion } from '../action/deletion';
import { doToEach } from '../action/each';
import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { CommandError } from '../errors';
import { suspend as suspendApplication, suspendSchedule } from '../../model/actions/actions';
import { hasEnded } from '../../model/actions/current';
import { stateOf, type WholeApplication } from '../../model/spark-application';

/** `sparkctl suspend`. */
export default command({
  usage: 'NAME… [options]',
  description: 'Suspends SparkApplications: stops their current runs, and starts no others until they are resumed. '
    + 'schedule/NAME starts no further runs.',
  options: CLUSTER_OPTIONS,
  examples: [
    ['sparkctl suspend pi', 'stop a job, and keep it'],
    ['sparkctl suspend schedule/nightly', 'start no runs until it is resumed'],
  ],
  exitCodes: { 1: 'it failed for one of them, or one has ended, but not for the others' },
  async run(values, words, context) {
    const { io, terminal, signal } = context;
    const { client, namespace } = await context.connect(values);
    const suspended: WholeApplication[] = [];
    const code = await doToEach(words, {
      command: 'suspend', client, namespace, io, terminal, signal, allowed: ['application', 'schedule'], done: 'suspended',
      async act({ kind, resource, ref }) {
        const object = await client.get(resource, ref, { signal }) as WholeApplication;
        rejectDeletion(object);
        if (kind === 'application' && hasEnded(object)) {
          throw new CommandError(`it has ended and is ${stateOf(object)}; nothing was changed`);
        }
        if (object.spec.suspend) return 'is already suspended';
        if (kind === 'schedule') await suspendSchedule(client, ref, { signal });
        else suspended.push(await suspendApplication(client, ref, { signal }));
        return undefined;
      },
    });
    await reportDelay(client, suspended, context);
    return code;
  },
});
