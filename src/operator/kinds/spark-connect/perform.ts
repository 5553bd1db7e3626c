import { LABEL_APP_UID, LABEL_SUBMISSION_ID } from '../../../api/labels';
import { removeCreated, RESOURCES, type CreatedObject } from '../../driver/created-objects';
import { storeIfWatched } from '../../driver/driver';
import { ensure as ensureObject } from '../../driver/ensure';
import { SubmissionFailedError, submissionFailureOf } from '../../driver/submission-failure';
import { all, remove, removeUnchanged } from '../../driver/objects';
import type { PodView } from '../../../model/pod-view';
import type { KubeClient } from '../../../kube/client';
import type { Clock } from '../../../kube/clock';
import { ignoring, isAlreadyExists, isForbidden, isNotFound } from '../../../kube/errors';
import type { Logger } from '../../../kube/logger';
import { keyOf, type KubeObject } from '../../../kube/objects';
import type { Resource } from '../../../kube/resource';
import type { Store } from '../../../kube/store';
import { writeStatus } from '../../runtime/write-status';
import { PODS, SPARK_CONNECTS } from '../../../model/resources';
import { SubmissionError } from '../../../plan/errors';
import type { SubmissionSettings } from '../../../plan/settings';
import { problemText } from '../../../model/problem';
import { inWordsOfConnect } from '../../../plan/connect/as-application';
import { belongingOf, inTheWay } from './belonging';
import type { Action, Observation } from './decision';
import { serverPodName, type SparkConnect } from '../../../model/spark-connect';
import { planServer } from '../../../plan/connect/plan';
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

async function startServer(performer: Performer, connect: SparkConnect): Promise<Outcome> {
  const created: CreatedObject[] = [];
  try {
    const { driver, resources, warnings } = planServer(await wholeOf(connect, performer), performer.submission);
    await cleanUpBefore(performer, connect);
    // Before the server: the kubelet would wait for a ConfigMap that comes later.
    await all(resources.map(async (wanted) => {
      const resource = RESOURCES[wanted.kind];
      const object = await ensure(performer, connect, resource, wanted);
      if (belongingOf(object, connect) === 'ours') created.push({ resource, object });
    }));
    return {
      server: storeIfWatched(performer.pods, await ensure(performer, connect, PODS, driver)),
      warnings: warnings.map((warning) => inWordsOfConnect(problemText(warning))),
    };
  } catch (error) {
    const failure = submissionFailureOf(error);
    if (!failure) throw error;
    // An earlier attempt might have succeeded although its answer was lost.
    const pod = await readServer(performer, connect);
    if (pod && !pod.metadata.deletionTimestamp) return { server: storeIfWatched(performer.pods, pod) };
    await removeCreated(performer, created, 'an object of the failed start stays until its SparkConnect is deleted');
    return { failure: SubmissionError.is(error) ? { ...failure, reason: inWordsOfConnect(failure.reason) } : failure };
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

/**
 * Creates an object, or finds the one of an earlier attempt of this start. It recreates an object
 * that was made from another specification.
 */
async function ensure<T extends KubeObject>(performer: Performer, connect: SparkConnect, resource: Resource<T>, object: T): Promise<T> {
  return ensureObject(performer, resource, object, {
    belongingOf: (existing) => belongingOf(existing, connect),
    inTheWay: (belonging) => ({ reason: inTheWay(resource.kind, object.metadata.name, belonging), kind: 'lasting' }),
    // The state machine detects and reports a pod of another revision.
    onOurs: (existing) => (resource.kind !== PODS.kind && isOfAnotherRevision(existing, connect)
      ? remake(performer, resource, existing, object)
      : existing),
  });
}

/** Replaces an object. The previous one can be in use until its pod is gone. */
async function remake<T extends KubeObject>(performer: Performer, resource: Resource<T>, before: KubeObject, object: T): Promise<T> {
  await remove(performer, resource, before);
  try {
    return await performer.client.create(resource, object, { signal: performer.signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    throw new SubmissionFailedError({ reason: inTheWay(resource.kind, object.metadata.name, 'leaving'), kind: 'lasting' });
  }
}

async function readServer({ client, signal }: Performer, connect: SparkConnect): Promise<KubeObject | undefined> {
  const ref = { namespace: connect.metadata.namespace, name: serverPodName(connect) };
  const pod = await client.get(PODS, ref, { signal }).catch(ignoring(isNotFound, isForbidden));
  return pod && belongingOf(pod, connect) === 'ours' ? pod : undefined;
}

async function deleteServer(
  performer: Performer, connect: SparkConnect, { pod, force }: Extract<Action, { kind: 'delete-server' }>,
): Promise<Outcome> {
  // Also for an ended pod: if it belongs to the current start, the reason of its end would be lost
  // with it.
  if (!pod.metadata.deletionTimestamp) await confirm(performer, connect);
  await remove(performer, PODS, pod, force);
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
      logger.warn({ err: error, resource: resource.plural }, 'objects of an earlier start stay until their SparkConnect is deleted');
    }
  }));
  return { cleanedUp: true };
}

async function deleteConnect(
  performer: Performer, connect: SparkConnect, { seenAt }: Extract<Action, { kind: 'delete-connect' }>,
): Promise<Outcome> {
  // The previous writes might have taken long, so the sessions have to be read again.
  if (performer.clock.monotonic() - seenAt > LOOK_TIMEOUT) return {};
  await removeUnchanged(performer, SPARK_CONNECTS, connect);
  return { deleted: true };
}
