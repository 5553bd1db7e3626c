import { createHash } from 'node:crypto';
import type { KubeClient } from '../../kube/client';
import { ignoring, isAlreadyExists, isConflict, isNotFound, isTransient } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { CONFIG_MAPS } from '../../model/resources';
import { ALL_SCHEDULER_RESOURCES } from '../../plan/schedulers/registry';
import { remove as removeObject } from '../driver/objects';
import { keyOfObject, kindOf, knownOf, type Known, type KnownObjects } from './known';
import { merged } from './merge';
import { InTheWay, ownerOfObject, problemOf, type Owner, type Problem } from './problem';
import { OWNED_RESOURCES, type OwnedObject } from './resources';

/** Calls of the client. */
export type ConvergeClient = Pick<KubeClient, 'create' | 'get' | 'update' | 'delete'>;

/** Wanted and unwanted objects. */
export interface Target {
  readonly wanted: readonly OwnedObject[];
  readonly unwanted: readonly Known[];
}

/** Previous failures, by action. */
export type Failures = Map<string, { readonly count: number; readonly problem: Problem }>;

/** Dependencies of `converge`. */
export interface ConvergeContext {
  /** State between the calls; modified. */
  readonly failures: Failures;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal?: AbortSignal;
}

/**
 * Maximum number of objects that one reconcile deletes, so that thousands of them do not delay
 * other applications.
 */
const MAX_REMOVALS = 20;

/** An action on one object. */
interface Task {
  /** Key of the action: failures of other actions do not delay it. */
  readonly id: string;
  readonly key: string;
  readonly resource: Resource<any>;
  readonly name: string;
  readonly verb: 'make' | 'remove';
  readonly run: () => Promise<void>;
}

/**
 * Creates, updates and deletes the objects of an application, one call after another. It neither
 * reads nor writes objects that are known to be as wanted. It never changes objects of other
 * owners, and keeps what others have added to the application's objects.
 *
 * It is idempotent and can be interrupted between any two calls. If there are many unwanted
 * objects, it deletes some of them and requests another reconcile at once.
 *
 * @param known modified
 * @returns objects that are not as wanted. If another reconcile must delete the rest, this contains
 * a problem without a sentence, which never prevents the application from running
 * @throws only the signal's reason when it is aborted
 */
export async function converge(
  client: ConvergeClient, application: Owner, target: Target, known: KnownObjects, { failures, now, signal }: ConvergeContext,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const tasks = [
    ...target.unwanted.map((object) => removal(client, application, object, known, signal)),
    ...target.wanted.map((object) => making(client, application, object, known, signal)),
  ];
  let removals = 0;
  for (const { id, run, ...task } of tasks) {
    const failed = failures.get(id);
    if (failed && failed.problem.notBefore > now) {
      problems.push(failed.problem);
      continue;
    }
    if (task.verb === 'remove' && ++removals > MAX_REMOVALS) {
      if (removals === MAX_REMOVALS + 1) problems.push({ key: task.key, notBefore: now });
      continue;
    }
    try {
      await run();
      failures.delete(id);
    } catch (error) {
      signal?.throwIfAborted();
      const count = (failed?.count ?? 0) + 1;
      const problem = problemOf({ ...task, error, count, now });
      failures.set(id, { count, problem });
      problems.push(problem);
    }
  }
  const ids = new Set(tasks.map(({ id }) => id));
  for (const id of [...failures.keys()]) if (!ids.has(id)) failures.delete(id);
  return problems;
}

function making(client: ConvergeClient, application: Owner, object: OwnedObject, known: KnownObjects, signal?: AbortSignal): Task {
  const [key, hash, name] = [keyOfObject({ kind: object.kind, name: object.metadata.name }), hashOf(object), object.metadata.name];
  const resource = OWNED_RESOURCES[object.kind];
  return {
    id: `make ${key} ${hash}`, key, resource, name, verb: 'make', run: () => make(client, application, object, hash, known, signal),
  };
}

/** Maximum number of retries of a write after conflicts, each with the newest version. */
const MAX_CONFLICTS = 3;

async function make(
  client: ConvergeClient, application: Owner, wanted: OwnedObject, hash: string, known: KnownObjects, signal?: AbortSignal,
): Promise<void> {
  const resource = OWNED_RESOURCES[wanted.kind];
  const ref = { namespace: application.metadata.namespace, name: wanted.metadata.name };
  const key = keyOfObject({ kind: wanted.kind, name: ref.name });
  const before = known.get(key);
  if (before?.satisfies === hash) return;
  const error = known.unavailable(wanted.kind);
  if (error) throw error;
  const settle = (object: KubeObject) => known.set(knownOf(wanted.kind, object, { satisfies: hash }));

  let live = before?.live ?? (before?.uid ? await client.get(resource, ref, { signal }).catch(ignoring(isNotFound)) : undefined);
  for (let conflicts = 0; ; conflicts++) {
    if (!live) {
      const created = await create(client, resource, wanted, known, signal);
      if (created) return settle(created);
      live = await client.get(resource, ref, { signal }) as KubeObject;
    }
    const owner = ownerOfObject(live, application);
    if (owner !== 'ours') {
      known.delete(key);
      throw new InTheWay(owner);
    }
    const next = merged(live, wanted);
    if (next === live) return settle(live);
    try {
      return settle(await client.update(resource, next, { signal }));
    } catch (refusal) {
      if (conflicts >= MAX_CONFLICTS || !(isConflict(refusal) || isNotFound(refusal))) throw refusal;
      live = await client.get(resource, ref, { signal }).catch(ignoring(isNotFound));
    }
  }
}

/** Creates an object. @returns undefined if one of this name exists */
async function create(
  client: ConvergeClient, resource: Resource<any>, wanted: OwnedObject, known: KnownObjects, signal?: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await client.create(resource, wanted, { signal });
  } catch (error) {
    if (isAlreadyExists(error)) return undefined;
    // The call might have succeeded without an answer, so the end of the application must look for
    // the object.
    if (isTransient(error)) known.set({ kind: wanted.kind, name: wanted.metadata.name });
    throw error;
  }
}

/** Kinds that are deleted. */
const REMOVED: Readonly<Record<string, Resource<any>>> = {
  ...OWNED_RESOURCES,
  ...Object.fromEntries([CONFIG_MAPS, ...ALL_SCHEDULER_RESOURCES].map((resource): [string, Resource<any>] => [kindOf(resource), resource])),
};

function removal(client: ConvergeClient, application: Owner, object: Known, known: KnownObjects, signal?: AbortSignal): Task {
  const key = keyOfObject(object);
  const resource = REMOVED[object.kind]!;
  return {
    id: `remove ${key}`, key, resource, name: object.name, verb: 'remove',
    run: () => remove(client, application, resource, object, known, signal),
  };
}

/** Deletes exactly this object, even if another one has its name now. */
async function remove(
  client: ConvergeClient, application: Owner, resource: Resource<any>, object: Known, known: KnownObjects, signal?: AbortSignal,
): Promise<void> {
  const ref = { namespace: application.metadata.namespace, name: object.name };
  const uid = object.uid ?? await uidOfOurs(client, application, resource, ref, signal);
  if (uid) await removeObject({ client, signal }, resource, { metadata: { ...ref, uid } });
  known.delete(keyOfObject(object));
}

async function uidOfOurs(
  client: ConvergeClient, application: Owner, resource: Resource<any>, ref: { namespace: string; name: string },
  signal?: AbortSignal,
) {
  const live = await client.get(resource, ref, { signal }).catch(ignoring(isNotFound));
  return live && ownerOfObject(live, application) === 'ours' ? live.metadata.uid : undefined;
}

function hashOf(object: OwnedObject): string {
  return createHash('sha256').update(JSON.stringify(object)).digest('hex').slice(0, 16);
}
