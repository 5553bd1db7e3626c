import { doToEach } from '../action/each';
import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { suspend as suspendApplication, suspendSchedule } from '../../model/actions/actions';

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
  exitCodes: { 1: 'it failed for one of them, but not for the others' },
  async run(values, words, { connect, io, signal }) {
    const { client, namespace } = await connect(values);
    return doToEach(words, {
      namespace, io, allowed: ['application', 'schedule'], done: 'suspended',
      act: async ({ kind, ref }) => { await (kind === 'schedule' ? suspendSchedule : suspendApplication)(client, ref, { signal }); },
    });
  },
});
