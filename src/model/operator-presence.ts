import type { KubeClient } from '../kube/client';
import { ApiError, isNotFound } from '../kube/errors';
import { holderOf, LEASES, validFor, type Lease } from '../kube/lease';
import type { KubeObject, ObjectMeta } from '../kube/objects';
import { shortDuration } from '../text/duration';
import { CLOCK_SKEW } from './backoff';
import { DEFAULT_LOCK, OPERATOR_CLIENT } from './installation';
import { NAMESPACES } from './resources';
import { statusWriters, type StatusWriter } from './status-writers';

/** Whether an operator runs that can handle an application, by its Lease. */
export interface OperatorPresence {
  readonly isActive: boolean;
  /** Evidence as a clause, such as `no replica has held the Lease a/b for 5m`. */
  readonly evidence: string;
}

/** Default duration of a Lease, in milliseconds. */
const DURATION = 15_000;

/** Maximum number of Leases that are read: there is one for each operator. */
const MAX_LEASES = 5;

/** Object whose status an operator writes. */
type Handled = KubeObject & {
  readonly metadata: ObjectMeta & { readonly namespace: string };
  readonly statusWriters?: readonly StatusWriter[];
};

/** Namespace and name of a Lease. */
interface LeaseRef {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Returns the Lease of the operator that wrote an object's status last; undefined if it was
 * another program. The Lease does not exist if the operator runs without leader election, as its
 * name then has its pod or host in place of the namespace.
 *
 * @see writerOf
 */
export function leaseOf({ metadata, ...others }: Handled): LeaseRef | undefined {
  const writers = others.statusWriters ?? statusWriters(metadata);
  const writer = writers.find(({ manager }) => manager.split('.', 1)[0] === OPERATOR_CLIENT)?.manager;
  const [, namespace, ...lock] = writer?.split('.') ?? [];
  return namespace === undefined ? undefined : { namespace, name: lock.join('.') || DEFAULT_LOCK };
}

/**
 * Returns whether an operator is active by its Lease.
 *
 * @param now milliseconds since 1970; the clock of the Lease's holder can differ
 */
export function presenceBy({ metadata: { namespace, name }, ...lease }: Lease, now: number): OperatorPresence {
  const title = `the Lease ${namespace}/${name}`;
  const age = now - Date.parse(lease.spec?.renewTime ?? '');
  if (holderOf({ metadata: { name }, ...lease }) === undefined) {
    // A release sets the time, too.
    const evidence = Number.isNaN(age) ? `no replica holds ${title}` : `no replica has held ${title} for ${shortDuration(age)}`;
    return { isActive: false, evidence };
  }
  const isActive = age <= Math.max(2 * validFor({ metadata: { name }, ...lease }, DURATION), CLOCK_SKEW);
  return {
    isActive, evidence: Number.isNaN(age) ? `${title} was never renewed` : `${title} was last renewed ${shortDuration(age)} ago`,
  };
}

/** Operators of objects, by their Leases. */
export interface OperatorPresences {
  /** Returns whether the operator of an object is active; undefined if unknown. */
  of(object: Handled): OperatorPresence | undefined;
}

/**
 * Reads the Leases of the operators that handle some objects: one for each operator, as far as the
 * user can read them.
 *
 * @param objects all known ones; those that were never reconciled have the operator of others in
 * their namespace
 */
export async function readPresences(
  client: Pick<KubeClient, 'get' | 'list'>, objects: readonly Handled[], now: number, signal?: AbortSignal,
): Promise<OperatorPresences> {
  const byNamespace = new Map<string, LeaseRef>();
  const leases = new Map<string, LeaseRef>();
  for (const object of objects) {
    const lease = leaseOf(object);
    if (!lease) continue;
    byNamespace.set(object.metadata.namespace, lease);
    leases.set(keyOf(lease), lease);
  }
  const refs = [...leases.values()].slice(0, MAX_LEASES);
  const found = await Promise.all(refs.map((ref) => readPresence(client, ref, now, signal)));
  const presences = new Map(refs.map((ref, index) => [keyOf(ref), found[index]]));
  return {
    of(object) {
      const lease = leaseOf(object) ?? byNamespace.get(object.metadata.namespace);
      return lease && presences.get(keyOf(lease));
    },
  };
}

async function readPresence(
  client: Pick<KubeClient, 'get' | 'list'>, ref: LeaseRef, now: number, signal?: AbortSignal,
): Promise<OperatorPresence | undefined> {
  try {
    const presence = await client.get(LEASES, ref, { signal }).then((lease) => presenceBy(lease, now), async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      await client.get(NAMESPACES, { name: ref.namespace }, { signal });
      return { isActive: false, evidence: `the Lease ${keyOf(ref)} does not exist any more` };
    });
    // Another operator might have taken over since the last write.
    return !presence.isActive && await isAnotherActive(client, ref.name, now, signal) ? undefined : presence;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function isAnotherActive(client: Pick<KubeClient, 'list'>, name: string, now: number, signal?: AbortSignal): Promise<boolean> {
  try {
    for await (const lease of client.list(LEASES, { fieldSelector: `metadata.name=${name}`, signal })) {
      if (presenceBy(lease, now).isActive) return true;
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return false;
}

function keyOf({ namespace, name }: LeaseRef): string {
  return `${namespace}/${name}`;
}
