import { LABEL_APP_UID, LABEL_LAUNCHED_BY, LABEL_SUBMISSION_ID } from '../../../api/labels';
import { Hindered, type SubmissionFailure } from '../../driver/hindrance';
import { viewOf, type PodView } from '../../../model/pod-view';
import { refusalToCreate } from '../../driver/refusal';
import type { KubeClient } from '../../../kube/client';
import type { Clock } from '../../../kube/clock';
import { ApiError, isAlreadyExists, isConflict, isForbidden, isNotFound } from '../../../kube/errors';
import type { Logger } from '../../../kube/logger';
import { keyOf, type KubeObject } from '../../../kube/objects';
import type { Resource } from '../../../kube/resource';
import type { Store } from '../../../kube/store';
import { writeStatus } from '../../runtime/write-status';
import { CONFIG_MAPS, NETWORK_POLICIES, PERSISTENT_VOLUME_CLAIMS, PODS, SERVICES, SPARK_CONNECTS } from '../../../model/resources';
import { SubmissionError } from '../../../plan/errors';
import type { SubmissionSettings } from '../../../plan/settings';
import { problemText } from '../../../model/problem';
import { inWordsOfConnect } from '../../../plan/connect/as-application';
import { belongingOf, inTheWay } from './belonging';
import type { Action, Observation } from './decision';
import { serverPodName, type SparkConnect } from '../../../model/spark-connect';
import { planServer, type ServerResource } from '../../../plan/connect/plan';
import { isOfAnotherRevision } from '../../../plan/connect/revision';
import { LOOK_TIMEOUT } from './sessions';
import { startIdOf } from '../../../plan/connect/start';
import { wholeOf } from './transform';

/** Dependencies of an action. */
export interface Performer {
  readonly client: Pick<KubeClient, 'create' | 'get' | 'list' | 'delete' | 'updateStatus'>;
  readonly pods: Store<PodView>;
  readonly submission: SubmissionSettings;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'monotonic'>;
  /**
   * The starts whose earlier objects were removed, by the keys of their SparkConnects. Changed by
   * actions.
   */
  readonly cleaned: Map<string, string>;
  /** Aborts pending calls when the operator stops. */
  readonly signal?: AbortSignal;
}

/** Outcome of an action, as far as the next observation would not show it. */
export interface Outcome extends Pick<Observation, 'failure' | 'warnings' | 'cleanedUp'> {
  /** The server after it was created or found. */
  readonly server?: PodView;
  /** Whether the SparkConnect was deleted. */
  readonly deleted?: boolean;
}

/**
 * Performs an action. It is idempotent.
 *
 * @throws errors of the network and of an overloaded API server, so that the action is retried
 */
export async function perform(performer: Performer, connect: SparkConnect, action: Action): Promise<Outcome> {
  switch (action.kind) {
    case 'start': return startServer(performer, connect);
    case 'delete-server': return deleteServer(performer, connect, action);
    case 'clean-up': return cleanUpAll(performer, connect);
    case 'delete-connect': return deleteConnect(performer, connect, action);
  }
}

/** Resources of the objects that a start creates, apart from the server. */
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
    return {
      server: taken(performer, await ensure(performer, connect, PODS, driver)),
      warnings: warnings.map((warning) => inWordsOfConnect(problemText(warning))),
    };
  } catch (error) {
    const failure = submissionFailureOf(error);
    if (!failure) throw error;
    // An earlier attempt might have succeeded although its answer was lost.
    const pod = await readServer(performer, connect);
    if (pod && !pod.metadata.deletionTimestamp) return { server: taken(performer, pod) };
    await all(made.map(({ resource, object }) => tryToRemove(performer, resource, object)));
    return { failure };
  }
}

/**
 * Removes the objects of earlier starts, and those that this start made from another specification.
 * It does so once, because each attempt would list them again.
 */
async function cleanUpBefore(performer: Performer, connect: SparkConnect): Promise<void> {
  const { metadata: { generation = 1 }, status } = connect;
  if (status?.lastTerminationTime === undefined && generation === 1) return;
  // The id of a start is unique to one SparkConnect.
  const [key, start] = [keyOf(connect.metadata), startIdOf(connect)];
  if (performer.cleaned.get(key) === `${start}/${generation}`) return;
  await confirm(performer, connect);
  await cleanUp(performer, connect, (object) => (
    object.metadata.labels?.[LABEL_SUBMISSION_ID] !== start || isOfAnotherRevision(object, connect)
  ));
  performer.cleaned.set(key, `${start}/${generation}`);
}

/**
 * Confirms that the status is current, before a deletion of objects that only their age marks as
 * previous. The cache of SparkConnects can be older than that of pods, especially after another
 * process has worked. It writes the unchanged status.
 *
 * @throws ApiError with a conflict if the status is stale
 */
async function confirm(performer: Performer, connect: SparkConnect): Promise<void> {
  await writeStatus(performer.client, SPARK_CONNECTS, connect, connect.status ?? {}, performer.signal);
}

function submissionFailureOf(error: unknown): SubmissionFailure | undefined {
  if (SubmissionError.is(error)) return { reason: inWordsOfConnect(error.message), kind: 'final' };
  return error instanceof Hindered ? error.failure : undefined;
}

/**
 * Creates an object, or finds the one of an earlier attempt of this start. It recreates an object
 * that was made from another specification.
 */
async function ensure<T extends KubeObject>(performer: Performer, connect: SparkConnect, resource: Resource<T>, object: T): Promise<T> {
  const { client, submission, signal } = performer;
  try {
    return await client.create(resource, object, { signal });
  } catch (error) {
    if (isAlreadyExists(error)) {
      const existing = await client.get(resource, { namespace: object.metadata.namespace, name: object.metadata.name }, { signal });
      const belonging = belongingOf(existing, connect);
      // The state machine detects and reports a pod of another revision.
      if (belonging === 'ours' && resource.kind !== PODS.kind && isOfAnotherRevision(existing, connect)) {
        return remake(performer, resource, existing, object);
      }
      // A claim of the user is used unchanged.
      if (belonging === 'ours' || (resource.kind === PERSISTENT_VOLUME_CLAIMS.kind && belonging === 'foreign')) return existing;
      throw new Hindered({ reason: inTheWay(resource.kind, object.metadata.name, belonging), kind: 'lasting' });
    }
    const failure = error instanceof ApiError ? refusalToCreate(error, `${resource.kind} ${object.metadata.name}`, submission) : undefined;
    throw failure ? new Hindered(failure) : error;
  }
}

/** Replaces an object. The previous one can be in use until its pod is gone. */
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
  // Only a pod that the watch selects: any other would stay in the store forever.
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

async function deleteServer(
  performer: Performer, connect: SparkConnect, { pod, force }: Extract<Action, { kind: 'delete-server' }>,
): Promise<Outcome> {
  const { client, signal } = performer;
  const { name, uid, deletionTimestamp } = pod.metadata;
  // Also for an ended pod: if it belongs to the current start, the reason of its end would be lost
  // with it.
  if (!deletionTimestamp) await confirm(performer, connect);
  try {
    await client.delete(PODS, { namespace: connect.metadata.namespace, name }, {
      preconditions: { uid }, ...(force && { gracePeriodSeconds: 0 }), signal,
    });
  } catch (error) {
    // Already gone, or replaced by another one.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
  return {};
}

async function cleanUpAll(performer: Performer, connect: SparkConnect): Promise<Outcome> {
  await confirm(performer, connect);
  return cleanUp(performer, connect, () => true);
}

/**
 * Removes the objects of starts, apart from the server. It selects them by labels, whatever the
 * current specification contains.
 */
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
  { client, clock, signal }: Performer, { metadata: { namespace, name, uid, resourceVersion } }: SparkConnect,
  { seenAt }: Extract<Action, { kind: 'delete-connect' }>,
): Promise<Outcome> {
  // The previous writes might have taken long, so the sessions have to be read again.
  if (clock.monotonic() - seenAt > LOOK_TIMEOUT) return {};
  try {
    // Not if it has changed: its user still needs it.
    await client.delete(SPARK_CONNECTS, { namespace, name }, {
      preconditions: { uid, resourceVersion }, propagationPolicy: 'Background', signal,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return { deleted: true };
}

/**
 * Removes an object, but only logs a failure, because the user has to get the actual reason.
 * Kubernetes deletes the object together with the SparkConnect, its owner.
 */
async function tryToRemove(performer: Performer, resource: Resource, object: KubeObject): Promise<void> {
  try {
    await remove(performer, resource, object);
  } catch (error) {
    performer.logger.warn(
      { err: error, resource: resource.plural, name: object.metadata.name },
      'an object of the hindered start stays until its SparkConnect is deleted',
    );
  }
}

/** Removes this object, but not another one of the same name. */
async function remove(
  { client, signal }: Performer, resource: Resource, { metadata: { namespace, name, uid } }: KubeObject,
): Promise<void> {
  try {
    await client.delete(resource, { namespace, name }, { preconditions: { uid }, signal });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Waits for all calls, even if one fails. The objects of pending calls could not be removed. */
async function all(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') throw result.reason;
}
