import { LABEL_APP_UID, LABEL_LAUNCHED_BY, LABEL_SUBMISSION_ID } from '../../api/labels';
import type { SparkConnectStatus } from '../../api/spark-connect-status';
import { Hindered, type SubmissionFailure } from '../driver/hindrance';
import { viewOf, type PodView } from '../../model/pod-view';
import { refusalToCreate } from '../driver/refusal';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { ApiError, isAlreadyExists, isConflict, isForbidden, isNotFound } from '../../kube/errors';
import type { Logger } from '../../kube/logger';
import { keyOf, type KubeObject } from '../../kube/objects';
import { apiVersionOf, type Resource } from '../../kube/resource';
import type { Store } from '../../kube/store';
import { CONFIG_MAPS, NETWORK_POLICIES, PERSISTENT_VOLUME_CLAIMS, PODS, SERVICES, SPARK_CONNECTS } from '../../model/resources';
import { SubmissionError } from '../../plan/errors';
import type { SubmissionSettings } from '../../plan/settings';
import { problemText } from '../../model/problem';
import { inWordsOfConnect } from '../../plan/connect/as-application';
import { belongingOf, inTheWay } from './belonging';
import type { Action, Observation } from './decision';
import { serverPodName, type SparkConnect, type WholeConnect } from '../../model/spark-connect';
import { planServer, type ServerResource } from '../../plan/connect/plan';
import { isOfAnotherRevision } from '../../plan/connect/revision';
import { LOOK_TIMEOUT } from './sessions';
import { startIdOf } from '../../plan/connect/start';
import { wholeOf } from './transform';

/** What performing needs from outside. */
export interface Performer {
  readonly client: Pick<KubeClient, 'create' | 'get' | 'list' | 'delete' | 'updateStatus'>;
  readonly pods: Store<PodView>;
  readonly submission: SubmissionSettings;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The starts before which what earlier ones have left was removed, by the keys of their SparkConnects. Changed. */
  readonly cleaned: Map<string, string>;
  /** Ends the calls under way when the operator stops. */
  readonly signal?: AbortSignal;
}

/** What became of an action, as far as the next look would not see it. */
export interface Outcome extends Pick<Observation, 'failure' | 'warnings' | 'cleanedUp'> {
  /** The server, after it was created or found. */
  readonly server?: PodView;
  /** The SparkConnect was deleted. */
  readonly deleted?: boolean;
}

/**
 * Writes the status.
 *
 * @throws ApiError with a conflict when it was changed since it was read
 */
export function writeStatus({ client, signal }: Performer, connect: SparkConnect, status: SparkConnectStatus): Promise<WholeConnect> {
  const { name, namespace, uid, resourceVersion } = connect.metadata;
  return client.updateStatus(SPARK_CONNECTS, {
    apiVersion: apiVersionOf(SPARK_CONNECTS), kind: SPARK_CONNECTS.kind, metadata: { name, namespace, uid, resourceVersion }, status,
  } as WholeConnect, { signal });
}

/**
 * Performs an action. Repeating it does no harm.
 *
 * @throws errors of the network and of an API server that is overloaded, so that it is tried again
 */
export async function perform(performer: Performer, connect: SparkConnect, action: Action): Promise<Outcome> {
  switch (action.kind) {
    case 'start': return startServer(performer, connect);
    case 'delete-server': return deleteServer(performer, connect, action);
    case 'clean-up': return cleanUpAll(performer, connect);
    case 'delete-connect': return deleteConnect(performer, connect, action);
  }
}

/** The kinds of what a start creates besides the server. */
const RESOURCES: { readonly [kind in ServerResource['kind']]: Resource<any> } = {
  ConfigMap: CONFIG_MAPS,
  Service: SERVICES,
  PersistentVolumeClaim: PERSISTENT_VOLUME_CLAIMS,
  NetworkPolicy: NETWORK_POLICIES,
};

interface CreatedObject {
  readonly resource: Resource;
  readonly object: KubeObject;
}

async function startServer(performer: Performer, connect: SparkConnect): Promise<Outcome> {
  const made: CreatedObject[] = [];
  try {
    const { driver, resources, warnings } = planServer(await wholeOf(connect, performer), performer.submission);
    await cleanUpBefore(performer, connect);
    // Before the server: the kubelet would wait for a ConfigMap that comes later.
    await all(resources.map(async (wanted) => {
      const resource = RESOURCES[wanted.kind];
      const object = await ensure(performer, connect, resource, wanted);
      if (belongingOf(object, connect) === 'ours') made.push({ resource, object });
    }));
    return { server: taken(performer, await ensure(performer, connect, PODS, driver)), warnings: warnings.map((warning) => inWordsOfConnect(problemText(warning))) };
  } catch (error) {
    const failure = submissionFailureOf(error);
    if (!failure) throw error;
    // An earlier try may have come through although its answer did not.
    const pod = await readServer(performer, connect);
    if (pod && !pod.metadata.deletionTimestamp) return { server: taken(performer, pod) };
    await all(made.map(({ resource, object }) => tryToRemove(performer, resource, object)));
    return { failure };
  }
}

/** Removes what earlier starts have left, and what this one made of another specification; once, as each try would list it again. */
async function cleanUpBefore(performer: Performer, connect: SparkConnect): Promise<void> {
  const { metadata: { generation = 1 }, status } = connect;
  if (status?.lastTerminationTime === undefined && generation === 1) return;
  // The id of a start is that of one SparkConnect alone.
  const [key, start] = [keyOf(connect.metadata), startIdOf(connect)];
  if (performer.cleaned.get(key) === `${start}/${generation}`) return;
  await confirm(performer, connect);
  await cleanUp(performer, connect, (object) => object.metadata.labels?.[LABEL_SUBMISSION_ID] !== start || isOfAnotherRevision(object, connect));
  performer.cleaned.set(key, `${start}/${generation}`);
}

/**
 * Makes sure that the status is the current one, before anything is deleted that only its age tells to be of before: the cache of SparkConnects can be behind that of pods, most of all after
 * another process has worked. It is written as it is, which changes nothing.
 *
 * @throws ApiError with a conflict if it is not
 */
async function confirm(performer: Performer, connect: SparkConnect): Promise<void> {
  await writeStatus(performer, connect, connect.status ?? {});
}

function submissionFailureOf(error: unknown): SubmissionFailure | undefined {
  if (SubmissionError.is(error)) return { reason: inWordsOfConnect(error.message), kind: 'final' };
  return error instanceof Hindered ? error.failure : undefined;
}

/** Creates an object, or finds the one that an earlier try of this start created. What that made of another specification is made anew. */
async function ensure<T extends KubeObject>(performer: Performer, connect: SparkConnect, resource: Resource<T>, object: T): Promise<T> {
  const { client, submission, signal } = performer;
  try {
    return await client.create(resource, object, { signal });
  } catch (error) {
    if (isAlreadyExists(error)) {
      const existing = await client.get(resource, { namespace: object.metadata.namespace, name: object.metadata.name }, { signal });
      const belonging = belongingOf(existing, connect);
      // Of a pod it is seen, and told, when it is followed.
      if (belonging === 'ours' && resource.kind !== PODS.kind && isOfAnotherRevision(existing, connect)) return remake(performer, resource, existing, object);
      // A claim of the user's is used as it is.
      if (belonging === 'ours' || (resource.kind === PERSISTENT_VOLUME_CLAIMS.kind && belonging === 'foreign')) return existing;
      throw new Hindered({ reason: inTheWay(resource.kind, object.metadata.name, belonging), kind: 'lasting' });
    }
    const failure = error instanceof ApiError ? refusalToCreate(error, `${resource.kind} ${object.metadata.name}`, submission) : undefined;
    throw failure ? new Hindered(failure) : error;
  }
}

/** The one of before may be used until its pod is gone. */
async function remake<T extends KubeObject>(performer: Performer, resource: Resource<T>, before: KubeObject, object: T): Promise<T> {
  await remove(performer, resource, before);
  try {
    return await performer.client.create(resource, object, { signal: performer.signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    throw new Hindered({ reason: inTheWay(resource.kind, object.metadata.name, 'leaving'), kind: 'lasting' });
  }
}

function taken({ pods }: Performer, pod: KubeObject): PodView {
  const server = viewOf(pod);
  // Only what the watch sees, too: it would stay in the store for ever.
  if (pod.metadata.labels?.[LABEL_LAUNCHED_BY] === 'true') pods.upsert(server);
  return server;
}

async function readServer({ client, signal }: Performer, connect: SparkConnect): Promise<KubeObject | undefined> {
  try {
    const pod = await client.get(PODS, { namespace: connect.metadata.namespace, name: serverPodName(connect) }, { signal });
    return belongingOf(pod, connect) === 'ours' ? pod : undefined;
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

async function deleteServer(performer: Performer, connect: SparkConnect, { pod, force }: Extract<Action, { kind: 'delete-server' }>): Promise<Outcome> {
  const { client, signal } = performer;
  const { name, uid, deletionTimestamp } = pod.metadata;
  // Also one that has ended: if it is that of the current start, why it has ended would be lost with it.
  if (!deletionTimestamp) await confirm(performer, connect);
  try {
    await client.delete(PODS, { namespace: connect.metadata.namespace, name }, { preconditions: { uid }, ...(force && { gracePeriodSeconds: 0 }), signal });
  } catch (error) {
    // Gone already, or another one by now.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
  return {};
}

async function cleanUpAll(performer: Performer, connect: SparkConnect): Promise<Outcome> {
  await confirm(performer, connect);
  return cleanUp(performer, connect, () => true);
}

/** Removes what starts have created besides the server; its labels tell, whatever the specification says by now. */
async function cleanUp(performer: Performer, connect: SparkConnect, isMeant: (object: KubeObject) => boolean): Promise<Outcome> {
  const { client, logger, signal } = performer;
  const { namespace, uid } = connect.metadata;
  const labelSelector = `${LABEL_APP_UID}=${uid},${LABEL_SUBMISSION_ID}`;
  await all(Object.values(RESOURCES).map(async (resource) => {
    try {
      const found: KubeObject[] = [];
      for await (const object of client.list(resource, { namespace, labelSelector, signal })) found.push(object as KubeObject);
      for (const object of found.filter(isMeant)) {
        const owner = object.metadata.ownerReferences?.find(({ controller }) => controller);
        if (owner?.uid === uid) await remove(performer, resource, object);
      }
    } catch (error) {
      if (!isForbidden(error)) throw error;
      logger.warn({ err: error, resource: resource.plural }, 'what an earlier start created stays until its SparkConnect is deleted');
    }
  }));
  return { cleanedUp: true };
}

async function deleteConnect(
  { client, clock, signal }: Performer, { metadata: { namespace, name, uid, resourceVersion } }: SparkConnect, { seenAt }: Extract<Action, { kind: 'delete-connect' }>,
): Promise<Outcome> {
  // The writes before this one may have taken long: it is looked again.
  if (clock.monotonic() - seenAt > LOOK_TIMEOUT) return {};
  try {
    // Not if it has been changed: its user wants something of it.
    await client.delete(SPARK_CONNECTS, { namespace, name }, { preconditions: { uid, resourceVersion }, propagationPolicy: 'Background', signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return { deleted: true };
}

/** What cannot be removed must not keep the reason from its user: it goes with the SparkConnect, its owner. */
async function tryToRemove(performer: Performer, resource: Resource, object: KubeObject): Promise<void> {
  try {
    await remove(performer, resource, object);
  } catch (error) {
    performer.logger.warn({ err: error, resource: resource.plural, name: object.metadata.name }, 'an object of the hindered start stays until its SparkConnect is deleted');
  }
}

/** Removes an object: that one, whatever has its name by now. */
async function remove({ client, signal }: Performer, resource: Resource, { metadata: { namespace, name, uid } }: KubeObject): Promise<void> {
  try {
    await client.delete(resource, { namespace, name }, { preconditions: { uid }, signal });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Waits for all, also when one fails: what is still under way could not be removed. */
async function all(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') throw result.reason;
}
