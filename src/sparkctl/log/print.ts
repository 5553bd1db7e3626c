import { labelOf, podsNow } from './pods';
import { inOrder, isCombined, isMeant } from './selection';
import type { Subject } from './subject';
import { whyNoLog } from './words';
import type { LogRequest, LogWorld } from './world';
import { CommandError } from '../errors';
import { followLog } from '../../kube/logs';

/**
 * Prints the logs that are there, one after the other.
 *
 * @throws {CommandError} if there is none, with the reason
 */
export async function printLogs(subject: Subject, { selection, part }: LogRequest, { client, sinks, tell, now, signal }: LogWorld): Promise<void> {
  const { podSelector, resource, ref } = subject;
  const object = await client.get(resource, ref, { signal });
  const pods = inOrder(await podsNow(client, ref.namespace, podSelector, signal));
  const meant = pods.filter((pod) => isMeant(pod, object, selection, subject));
  if (!meant.some(({ hasLog }) => hasLog)) {
    const main = pods.find(({ role }) => role === subject.mainRole);
    throw new CommandError(whyNoLog(subject, selection, pods, subject.standing(object, main, now())));
  }
  for (const pod of meant) {
    if (!pod.hasLog) {
      tell(`${labelOf(pod)} has not started yet`);
      continue;
    }
    const sink = sinks(isCombined(selection) ? labelOf(pod) : undefined);
    for await (const bytes of followLog(client, { ...ref, name: pod.metadata.name }, { ...part, container: pod.container, signal })) await sink.write(bytes);
    await sink.end();
  }
}
