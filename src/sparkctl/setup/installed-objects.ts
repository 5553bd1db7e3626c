import { INSTALLED_KINDS } from './kinds';
import { NAMESPACES } from '../../model/resources';
import { isInstalled, selectorOf } from './labels';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import { keyOf, type KubeObject } from '../../kube/objects';
import { apiVersionOf, type Resource } from '../../kube/resource';

/** Objects of an operator, in the order of their removal: namespaces come last. */
export interface InstalledObjects {
  /** Objects that `sparkctl install` has created for it. */
  readonly own: readonly KubeObject[];
  /** Objects that existed before. */
  readonly adopted: readonly KubeObject[];
}

/** Lists the objects of an operator. Kinds that the cluster does not know are skipped. */
export async function installedObjects(
  client: Pick<KubeClient, 'listPage'>, installation: string, signal: AbortSignal,
): Promise<InstalledObjects> {
  const selector = selectorOf(installation);
  const lists = await Promise.all([...INSTALLED_KINDS, NAMESPACES].map((resource) => objectsOf(client, resource, selector, signal)));
  const all = lists.flat();
  return {
    own: all.filter((object) => isInstalled(object, installation)),
    adopted: all.filter((object) => !isInstalled(object, installation)),
  };
}

/**
 * Returns the existing objects that the new installation does not contain. Namespaces are never
 * orphans, as other objects can be in them.
 */
export function orphans(there: readonly KubeObject[], wanted: readonly KubeObject[]): KubeObject[] {
  const names = new Set(wanted.map(identityOf));
  return there.filter((object) => object.kind !== 'Namespace' && !names.has(identityOf(object)));
}

async function objectsOf(
  client: Pick<KubeClient, 'listPage'>, resource: Resource, labelSelector: string, signal: AbortSignal,
): Promise<KubeObject[]> {
  try {
    const { items } = await client.listPage(resource, { labelSelector, signal });
    return items.map((item) => ({ ...item, apiVersion: apiVersionOf(resource), kind: resource.kind }));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

function identityOf(object: KubeObject): string {
  return `${object.kind} ${keyOf(object.metadata)}`;
}
