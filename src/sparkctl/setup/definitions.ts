import { CUSTOM_RESOURCE_DEFINITIONS } from './kinds';
import { readIfThere } from './wait';
import { KINDS } from '../../api/kinds';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/** CRD in the cluster, with the number of its objects. */
export interface Definition {
  readonly object: KubeObject;
  readonly kind: string;
  /** Number of objects of the kind in the cluster. */
  readonly objects: number;
}

/** Reads the CRDs of this package's kinds from the cluster, regardless of who installed them. */
export async function definitionsIn(client: Pick<KubeClient, 'get' | 'listPage'>, signal: AbortSignal): Promise<Definition[]> {
  const found = await Promise.all(KINDS.map(async (kind) => {
    const crd = await readIfThere(client, CUSTOM_RESOURCE_DEFINITIONS, { name: `${kind.plural}.${kind.group}` }, signal);
    if (!crd) return undefined;
    const object = { ...crd, apiVersion: 'apiextensions.k8s.io/v1', kind: CUSTOM_RESOURCE_DEFINITIONS.kind };
    return { object, kind: kind.kind, objects: await countOf(client, { ...kind, namespaced: true }, signal) };
  }));
  return found.filter((definition) => definition !== undefined);
}

/**
 * Describes the objects that are deleted with CRDs, such as `3 SparkApplications`; undefined if
 * there are none.
 */
export function objectsText(definitions: readonly Definition[]): string | undefined {
  const counts = definitions.filter(({ objects }) => objects > 0).map(
    ({ kind, objects }) => `${objects} ${kind}${objects === 1 ? '' : 's'}`,
  );
  return counts.length === 0 ? undefined : counts.join(', ');
}

async function countOf(
  client: Pick<KubeClient, 'listPage'>, resource: Parameters<KubeClient['listPage']>[0], signal: AbortSignal,
): Promise<number> {
  try {
    const { items, metadata } = await client.listPage(resource, { limit: 1, signal });
    return items.length + (metadata.remainingItemCount ?? 0);
  } catch (error) {
    if (isNotFound(error)) return 0;
    throw error;
  }
}
