import { doToEach } from '../action/each';
import { CLUSTER_OPTIONS, SELECTION_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { SPARK_APPLICATIONS } from '../../model/resources';

const OPTIONS = { ...CLUSTER_OPTIONS, selector: SELECTION_OPTIONS.selector } as const;

/** `sparkctl delete`. */
export const deleteCommand = command({
  usage: 'NAME… | --selector=QUERY [options]',
  description: 'Deletes SparkApplications with their drivers and executors, whatever they are doing; or schedule/NAME with all of its runs, or connect/NAME.',
  options: OPTIONS,
  examples: [
    ['sparkctl delete pi', 'a job'],
    ['sparkctl delete -l team=data -n etl', 'all jobs of a team in a namespace'],
  ],
  exitCodes: { 1: 'one of them could not be deleted; the others were' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], { connect, io, signal }: Context): Promise<number> {
  if (values.selector !== undefined && words.length > 0) throw new UsageError('name them, or select them with --selector; not both');
  const { client, namespace } = await connect(values);
  const names = [...words];
  if (values.selector !== undefined) {
    if (values.selector.trim() === '') throw new UsageError('--selector is empty, which would be all of them; write a label such as team=data');
    for await (const { metadata } of client.list(SPARK_APPLICATIONS, { namespace, labelSelector: values.selector, signal })) names.push(metadata.name);
    if (names.length === 0) {
      io.stderr('There are none with these labels.\n');
      return 0;
    }
  }
  return doToEach(names, {
    namespace, io, allowed: ['application', 'schedule', 'connect'], done: 'deleted',
    act: ({ resource, ref }) => client.delete(resource, ref, { propagationPolicy: 'Background', signal }),
  });
}
