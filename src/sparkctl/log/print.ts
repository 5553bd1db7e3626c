import { labelOf, numbered, podsNow, type SparkPod } from './pods';
import { inOrder, isCombined, isSelected } from './selection';
import type { Subject } from './subject';
import { whyNoLog } from './messages';
import type { LogRequest, LogDependencies } from './dependencies';
import { CommandError } from '../errors';
import { ApiError, isNotFound, toError } from '../../kube/errors';
import { followLog } from '../../kube/logs';

/**
 * Prints the existing logs, one after the other. If one of several cannot be read, the others are
 * still printed.
 *
 * @throws {CommandError} with the reason if there is none, or if some cannot be read
 */
export async function printLogs(subject: Subject, request: LogRequest, dependencies: LogDependencies): Promise<void> {
  const { client, print, now, signal } = dependencies;
  const { selection } = request;
  const object = await client.get(subject.resource, subject.ref, { signal });
  const pods = inOrder(numbered(await podsNow(client, subject.ref.namespace, subject.podSelector, signal), object));
  const meant = pods.filter((pod) => isSelected(pod, object, selection, subject));
  if (!meant.some(({ hasLog }) => hasLog)) {
    const main = pods.find(({ role }) => role === subject.mainRole);
    const state = subject.currentState(object, main, now());
    throw new CommandError(whyNoLog(subject, selection, pods, await subject.explained(state, object, client, now(), signal)));
  }
  const missing: string[] = [];
  for (const pod of meant) {
    const label = labelOf(pod);
    try {
      if (pod.hasLog) await printLog(pod, subject, request, dependencies);
      else print(`${label} has not started yet`);
    } catch (error) {
      if (signal.aborted || !isCombined(selection)) throw error;
      // Spark can delete executors at any time.
      const isAsUsual = isNotFound(error) && pod.role === 'executor';
      print(isAsUsual ? `${label} has been deleted with its log` : `the log of ${label} cannot be read: ${toError(error).message}`);
      if (!isAsUsual) missing.push(label);
    }
  }
  if (missing.length > 0) throw new CommandError(`not all logs could be read: ${missing.join(', ')}`);
}

async function printLog(
  pod: SparkPod, { ref }: Subject, { selection, part }: LogRequest, { client, sinks, signal }: LogDependencies,
): Promise<void> {
  const sink = sinks(isCombined(selection) ? labelOf(pod) : undefined);
  try {
    for await (const bytes of followLog(client, { ...ref, name: pod.metadata.name }, { ...part, container: pod.container, signal })) {
      await sink.write(bytes);
    }
  } catch (error) {
    throw part.previous && isNeverRestarted(error)
      ? new CommandError(`the container of the pod ${pod.metadata.name} has not been restarted, so it has no previous log; omit --previous`)
      : error;
  } finally {
    await sink.end();
  }
}

/** Whether the kubelet answers that a container has no earlier instance. */
function isNeverRestarted(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400 && /^previous terminated container .* not found/.test(error.serverMessage);
}
