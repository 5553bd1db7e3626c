import type { KubeClient, ListOptions } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';

/** Lists all objects of a collection. */
export async function listed<T extends KubeObject>(
  client: Pick<KubeClient, 'list'>, resource: Resource<T>, selection: Omit<ListOptions, 'continue' | 'signal'>, signal?: AbortSignal,
): Promise<T[]> {
  const objects: T[] = [];
  for await (const object of client.list(resource, { ...selection, signal })) objects.push(object);
  return objects;
}
