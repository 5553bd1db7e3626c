import { sparkPodOf, RAW_PODS, type SparkPod } from './pods';
import type { Subject } from './subject';
import type { KubeClient } from '../../kube/client';
import { silentLogger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import { isRefusal } from '../../model/actions/follow';
import { Reflector } from '../../kube/reflector';
import { Store } from '../../kube/store';

/** Informers of a subject and its pods. */
export interface WatchedSubject {
  /** Returns the object; undefined once it has been deleted. */
  object(): KubeObject | undefined;
  pods(): readonly SparkPod[];
  close(): Promise<void>;
}

/**
 * Starts the informers of a subject and its pods. Once synced, they reconnect after lost
 * connections.
 *
 * @param onChange called when the object or a pod changes
 * @param onLost called with the reason when the connection is lost for long. @default - it is
 * restored whenever the API server answers again
 * @throws {ApiError} if the object does not exist, or the user cannot read it and its pods
 * @throws {NetworkError} if the API server does not answer
 */
export async function watchSubject(
  client: KubeClient, { resource, ref, podSelector }: Subject, onChange: () => void, signal: AbortSignal,
  onLost: (error: Error) => void = () => {},
): Promise<WatchedSubject> {
  await client.get(resource, ref, { signal });
  const objects = new Store<KubeObject>();
  const pods = new Store<SparkPod>();
  let onFirstError: (error: Error) => void = () => {};
  const problem = new Promise<never>((_, reject) => { onFirstError = reject; });
  const onError = (error: Error) => {
    onFirstError(error);
    if (reflectors.some((reflector) => isLost(error, reflector.health().failures + 1))) onLost(error);
  };
  const common = { client, namespace: ref.namespace, logger: silentLogger, onError };
  const reflectors: readonly Reflector<any, any>[] = [
    new Reflector({ ...common, resource, store: objects, fieldSelector: `metadata.name=${ref.name}` }),
    new Reflector({ ...common, resource: RAW_PODS, store: pods, labelSelector: podSelector, transform: sparkPodOf }),
  ];
  const abort = () => onFirstError(signal.reason);
  const close = async () => {
    signal.removeEventListener('abort', abort);
    await Promise.all(reflectors.map((reflector) => reflector.stop()));
  };
  signal.addEventListener('abort', abort, { once: true });
  objects.subscribe(onChange);
  pods.subscribe(onChange);
  try {
    for (const reflector of reflectors) reflector.start();
    // Only the first list must succeed.
    await Promise.race([Promise.all(reflectors.map(({ hasSynced }) => hasSynced)), problem]);
  } catch (error) {
    await close();
    throw error;
  }
  return { object: () => objects.get(ref), pods: () => pods.list(), close };
}

/** Failures in a row after which a connection is lost, about a minute. */
const MAX_FAILURES = 7;

/** The same for answers that a retry does not change, such as after the end of a token. */
const MAX_REFUSALS = 3;

/** Returns whether a watch is lost, and not only interrupted. @param failures failures in a row */
export function isLost(error: Error, failures: number): boolean {
  return failures >= (isRefusal(error) ? MAX_REFUSALS : MAX_FAILURES);
}
