import { CLUSTER_OPTIONS } from '../cluster';
import { painter } from '../../text/colours';
import { command } from '../command';
import { titleOf } from '../output/title';
import { printable } from '../../text/printable';
import { onlyTarget } from '../target';
import { eventLines } from '../view/event-lines';
import { eventsOf } from '../view/events';
import { relatedObjects } from '../view/related';
import { isNotFound } from '../../kube/errors';

/** `sparkctl event`. */
export default command({
  usage: 'NAME [options]',
  description: 'Prints the events of a SparkApplication, its driver and its executors, the oldest first; '
    + 'or of schedule/NAME or connect/NAME. Those about an image that cannot be pulled are one line, with the time of the '
    + 'latest. The API server keeps events for an hour, also those of deleted objects.',
  options: CLUSTER_OPTIONS,
  examples: [['sparkctl event pi', 'what happened to a job']],
  exitCodes: { 1: 'neither such an object nor events of it exist, or the cluster does not answer' },
  async run(values, words, { connect, io, now, signal, terminal }) {
    const { client, namespace } = await connect(values);
    const target = onlyTarget(words, namespace, ['application', 'schedule', 'connect']);
    let absence: unknown;
    const object = await client.get(target.resource, target.ref, { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      absence = error;
      return undefined;
    });
    const related = await relatedObjects(client, target, object, signal);
    const events = await eventsOf(client, target.ref.namespace, related, object?.metadata.creationTimestamp, signal);
    if (absence !== undefined && events.length === 0) throw absence;
    if (absence !== undefined) {
      io.stderr(
        printable(
          `There is no ${titleOf({ kind: target.resource.kind, metadata: target.ref })} any more; these are the events of an object that had this name.\n`,
        ),
      );
    }
    if (events.length === 0) io.stderr('There are no events; the API server keeps them for an hour.\n');
    else io.stdout(`${eventLines(events, now(), painter(terminal), terminal.columns).join('\n')}\n`);
    return 0;
  },
});
