import { doToEach } from '../action/each';
import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { CommandError } from '../errors';
import { suspend as suspendApplication, suspendSchedule } from '../../model/actions/actions';
import { hasEnded } from '../../model/actions/current';
import { SPARK_APPLICATIONS } from '../../model/resources';
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
  async run(values, words, { connect, io, signal }) {
    const { client, namespace } = await connect(values);
    return doToEach(words, {
      client, namespace, io, signal, allowed: ['application', 'schedule'], done: 'suspended',
      async act({ kind, ref }) {
        if (kind === 'schedule') {
          await suspendSchedule(client, ref, { signal });
          return;
        }
        const application: WholeApplication = await client.get(SPARK_APPLICATIONS, ref, { signal });
        if (hasEnded(application)) throw new CommandError(`it has ended and is ${stateOf(application)}; nothing was changed`);
        await suspendApplication(client, ref, { signal });
      },
    });
  },
});
