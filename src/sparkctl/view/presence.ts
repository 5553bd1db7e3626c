import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import type { KubeObject, ObjectMeta } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { listed } from '../doctor/listed';
import { read, valueOf } from '../doctor/reading';
import { handles, installationIn } from '../setup/installation';
import { DEPLOYMENTS, OPERATOR_SELECTOR } from '../setup/kinds';
import { leaseOf, readPresences, type OperatorPresence, type OperatorPresences } from '../../model/operator-presence';

/** Object whose status an operator writes. */
type Handled = KubeObject & { readonly metadata: ObjectMeta & { readonly namespace: string } };

/** Namespaces for whose new objects the operators are read. */
const MAX_NAMESPACES = 5;

/** Objects of a namespace and kind that are read to find the operator of a new one. */
const MAX_NEIGHBOURS = 100;

/**
 * Returns whether the operator of an object runs. A new one has the operator of another in its
 * namespace.
 *
 * @param kinds kinds of the others, in the order in which they are read
 */
export async function presenceOf(
  client: Pick<KubeClient, 'get' | 'list'>, object: Handled, kinds: readonly Resource<Handled>[], now: number, signal?: AbortSignal,
): Promise<OperatorPresence | undefined> {
  if (leaseOf(object)) return (await readPresences(client, [object], now, signal)).of(object);
  for (const kind of kinds) {
    const neighbour = await handledNeighbour(client, kind, object.metadata.namespace, signal);
    if (neighbour) return (await readPresences(client, [neighbour], now, signal)).of(neighbour);
  }
  return withoutInstallation(client, object.metadata.namespace, signal);
}

/**
 * Returns whether the operators of listed objects run, by `presenceOf` for new ones without others
 * in the list.
 *
 * @param objects all known ones of a kind
 * @param kinds see `presenceOf`
 */
export async function presencesOf(
  client: Pick<KubeClient, 'get' | 'list'>, objects: readonly Handled[], kinds: readonly Resource<Handled>[], now: number,
  signal?: AbortSignal,
): Promise<OperatorPresences> {
  const known = await readPresences(client, objects, now, signal);
  const isUnknown = (object: Handled) => !leaseOf(object) && !known.of(object);
  const unknown = new Map(objects.filter(isUnknown).map((object) => [object.metadata.namespace, object]));
  const found = new Map(await Promise.all([...unknown].slice(0, MAX_NAMESPACES).map(async ([namespace, object]) => (
    // A state without this reason is better than no list.
    [namespace, await presenceOf(client, object, kinds, now, signal).catch(() => undefined)] as const
  ))));
  return { of: (object) => known.of(object) ?? (leaseOf(object) ? undefined : found.get(object.metadata.namespace)) };
}

/**
 * Returns that no operator of the cluster is configured for a namespace; undefined if one can be,
 * or the user cannot read their Deployments.
 */
async function withoutInstallation(
  client: Pick<KubeClient, 'list'>, namespace: string, signal?: AbortSignal,
): Promise<OperatorPresence | undefined> {
  const deployments = valueOf(await read(listed(client, DEPLOYMENTS, { labelSelector: OPERATOR_SELECTOR }, signal))) ?? [];
  const installations = deployments.map(installationIn);
  // The Deployment of an operator can have other labels, so that none is no evidence.
  const isConfigured = installations.length === 0 || installations.some((each) => each === undefined || handles(each, namespace) !== false);
  return isConfigured ? undefined : { isActive: false, evidence: 'none of the cluster is configured for it' };
}

async function handledNeighbour(
  client: Pick<KubeClient, 'list'>, kind: Resource<Handled>, namespace: string, signal?: AbortSignal,
): Promise<Handled | undefined> {
  let count = 0;
  try {
    for await (const neighbour of client.list(kind, { namespace, limit: MAX_NEIGHBOURS, signal })) {
      if (leaseOf(neighbour)) return neighbour;
      count += 1;
      if (count === MAX_NEIGHBOURS) return undefined;
    }
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  return undefined;
}
