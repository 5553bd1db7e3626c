import { doToEach } from '../action/each';
import { CLUSTER_OPTIONS, SELECTION_OPTIONS } from '../cluster';
import { command } from '../command';
import { deletionText } from '../../explain/deletion';
import type { KubeObject } from '../../kube/objects';
import { readIfThere } from '../setup/wait';
import { UsageError } from '../../text/usage-error';
import { SPARK_APPLICATIONS } from '../../model/resources';

/** `sparkctl delete`. */
export default command({
  usage: 'NAME… | --selector=QUERY [options]',
  description: 'Deletes SparkApplications with their drivers and executors, in any state; '
    + 'or schedule/NAME with all of its runs, or connect/NAME.',
  options: { ...CLUSTER_OPTIONS, selector: SELECTION_OPTIONS.selector },
  examples: [
    ['sparkctl delete pi', 'a job'],
    ['sparkctl delete -l team=data -n etl', 'all jobs of a team in a namespace'],
  ],
  exitCodes: { 1: 'one of them could not be deleted; the others were' },
  async run(values, words, { connect, io, terminal, signal }) {
    if (values.selector !== undefined && words.length > 0) throw new UsageError('write NAME or --selector, not both');
    const { client, namespace } = await connect(values);
    const names = [...words];
    if (values.selector !== undefined) {
      if (values.selector.trim() === '') {
        throw new UsageError('--selector is empty and would select everything; write a label such as team=data');
      }
      for await (const { metadata } of client.list(SPARK_APPLICATIONS, { namespace, labelSelector: values.selector, signal })) {
        names.push(metadata.name);
      }
      if (names.length === 0) {
        io.stderr('No SparkApplications have these labels.\n');
        return 0;
      }
    }
    return doToEach(names, {
      command: 'delete', client, namespace, io, terminal, signal, allowed: ['application', 'schedule', 'connect'], done: 'deleted',
      act: async ({ resource, ref }) => {
        await client.delete(resource, ref, { propagationPolicy: 'Background', signal });
        // The deletion is done, so it does not matter if the object cannot be read.
        const remaining = await readIfThere<KubeObject>(client, resource, ref, signal).catch(() => undefined);
        return remaining && deletionText(remaining);
      },
    });
  },
});
