import { CLUSTER_OPTIONS } from '../cluster';
import { painter } from '../../text/colours';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { printable } from '../../text/printable';
import { onlyTarget } from '../target';
import { eventLines } from '../view/event-lines';
import { eventsOf } from '../view/events';
import { relatedObjects } from '../view/related';
import { isNotFound } from '../../kube/errors';

const OPTIONS = { ...CLUSTER_OPTIONS } as const;

/** `sparkctl event`. */
export const event = command({
  usage: 'NAME [options]',
  description: 'Prints the events of a SparkApplication, its driver and its executors, the oldest first; or of schedule/NAME or connect/NAME. The API server keeps events for an hour, also those of what has been deleted.',
  options: OPTIONS,
  examples: [['sparkctl event pi', 'what has happened to a job']],
  exitCodes: { 1: 'there is neither such an object nor an event of it, or the cluster has not given an answer' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], { connect, io, now, signal, terminal }: Context): Promise<number> {
  const { client, namespace } = await connect(values);
  const target = onlyTarget(words, namespace, ['application', 'schedule', 'connect']);
  const absence = await client.get(target.resource, target.ref, { signal }).then(() => undefined, (error: unknown) => {
    if (!isNotFound(error)) throw error;
    return error;
  });
  const events = await eventsOf(client, target.ref.namespace, await relatedObjects(client, target, signal), signal);
  if (absence !== undefined && events.length === 0) throw absence;
  if (absence !== undefined) io.stderr(printable(`There is no ${target.resource.kind} ${target.ref.name} any more; these are the events of what had this name.\n`));
  if (events.length === 0) io.stderr('There are no events; the API server keeps them for an hour.\n');
  else io.stdout(`${eventLines(events, now(), painter(terminal)).join('\n')}\n`);
  return 0;
}
