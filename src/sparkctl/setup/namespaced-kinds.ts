import type { KubeClient } from '../../kube/client';
import { ApiError, isNotFound } from '../../kube/errors';
import { defineResource, type Resource } from '../../kube/resource';
import { KINDS } from '../../api/kinds';

/** Kinds of objects that a namespace can contain. */
export interface NamespacedKinds {
  /** Kinds that are deleted with their namespace, each once; Spark's come first. */
  readonly kinds: readonly Resource[];
  /** API versions whose kinds could not be read, such as `metrics.k8s.io/v1`. */
  readonly unknown: readonly string[];
}

/** Response of an API server's `/apis`; only the fields that are read. */
interface Groups {
  readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
}

/** Response of an API server's `/apis/GROUP/VERSION`; only the fields that are read. */
interface Kinds {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/** Discovers the namespaced kinds of an API server, including those of other CRDs. */
export async function namespacedKinds(client: Pick<KubeClient, 'request'>, signal: AbortSignal): Promise<NamespacedKinds> {
  const call = { verb: 'get', resource: 'the kinds of the API server' };
  const { groups } = await client.request<Groups>({ method: 'GET', path: '/apis', call, signal });
  const versions = [
    { group: '', version: 'v1' },
    ...groups.flatMap(({ name, versions: all }) => all.map(({ version }) => ({ group: name, version }))),
  ];
  const answers = await Promise.all(versions.map(async ({ group, version }) => {
    try {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const { resources } = await client.request<Kinds>({ method: 'GET', path, call, signal });
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
    // The first version of a group is the preferred one; each version has the same objects.
    if (!kinds.has(key)) kinds.set(key, resource);
  }
  const isSpark = ({ group }: Resource) => KINDS.some((kind) => kind.group === group);
  const all = [...kinds.values()];
  return {
    kinds: [...all.filter(isSpark), ...all.filter((resource) => !isSpark(resource))],
    unknown: answers.filter((answer) => typeof answer === 'string'),
  };
}

/**
 * Returns whether objects of a kind are stored. Computed ones, such as metrics of pods, cannot be
 * deleted.
 */
function isKept({ name, namespaced, verbs }: Kinds['resources'][number]): boolean {
  return namespaced && !name.includes('/') && verbs.includes('list') && verbs.includes('delete');
}
