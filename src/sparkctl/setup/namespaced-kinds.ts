import type { KubeClient } from '../../kube/client';
import { ApiError, isNotFound } from '../../kube/errors';
import { defineResource, type Resource } from '../../kube/resource';
import { KINDS } from '../../api/kinds';

/** What there can be in a namespace. */
export interface NamespacedKinds {
  /** Those that go with their namespace, each once; Spark's come first. */
  readonly kinds: readonly Resource[];
  /** What could not be asked, such as `metrics.k8s.io/v1`: nobody knows what kinds it has. */
  readonly unknown: readonly string[];
}

/** What `/apis` of an API server answers; only what is read. */
interface Groups {
  readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
}

/** What `/apis/GROUP/VERSION` of an API server answers; only what is read. */
interface Kinds {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean; readonly verbs: readonly string[] }[];
}

/** Asks the API server what there can be in a namespace: which kinds people have brought is known to it alone. */
export async function namespacedKinds(client: Pick<KubeClient, 'request'>, signal: AbortSignal): Promise<NamespacedKinds> {
  const call = { verb: 'get', resource: 'the kinds of the API server' };
  const { groups } = await client.request<Groups>({ method: 'GET', path: '/apis', call, signal });
  const versions = [{ group: '', version: 'v1' }, ...groups.flatMap(({ name, versions: all }) => all.map(({ version }) => ({ group: name, version })))];
  const answers = await Promise.all(versions.map(async ({ group, version }) => {
    try {
      const { resources } = await client.request<Kinds>({ method: 'GET', path: group === '' ? `/api/${version}` : `/apis/${group}/${version}`, call, signal });
      return resources.filter(isKept).map(({ name, kind }) => defineResource({ group, version, kind, plural: name, namespaced: true }));
    } catch (error) {
      if (isNotFound(error)) return [];
      if (error instanceof ApiError) return `${group}/${version}`;
      throw error;
    }
  }));
  const kinds = new Map<string, Resource>();
  for (const resource of answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer))) {
    const key = `${resource.plural}.${resource.group}`;
    // The first version of a group is the one it prefers; the objects are the same in each.
    if (!kinds.has(key)) kinds.set(key, resource);
  }
  const isSpark = ({ group }: Resource) => KINDS.some((kind) => kind.group === group);
  const all = [...kinds.values()];
  return { kinds: [...all.filter(isSpark), ...all.filter((resource) => !isSpark(resource))], unknown: answers.filter((answer) => typeof answer === 'string') };
}

/** What nobody can delete does not go with a namespace either, such as measurements of pods. */
function isKept({ name, namespaced, verbs }: Kinds['resources'][number]): boolean {
  return namespaced && !name.includes('/') && verbs.includes('list') && verbs.includes('delete');
}
