import { isInstalled } from './labels';
import type { NamespacedKinds } from './namespaced-kinds';
import type { KubeClient } from '../../kube/client';
import { ApiError, isForbidden, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/** Kinds of which the cluster itself writes objects, and nobody misses them. */
const OF_NO_WORTH: readonly string[] = ['Event', 'Endpoints', 'EndpointSlice'];

/** What clusters put into each namespace, Kubernetes and OpenShift, and what Istio does. */
const OF_CLUSTERS: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: ['kube-root-ca.crt', 'openshift-service-ca.crt', 'istio-ca-root-cert'],
  ServiceAccount: ['default', 'builder', 'deployer'],
  RoleBinding: ['system:image-pullers', 'system:image-builders', 'system:deployers'],
};

/** Secrets that clusters make for service accounts. */
const OF_ACCOUNTS: readonly string[] = ['kubernetes.io/service-account-token', 'kubernetes.io/dockercfg'];

/** Whose namespace it is, as far as objects are concerned. */
export interface Household extends NamespacedKinds {
  /** The namespace of the operator. */
  readonly installation: string;
  /** Name of the operator's Lease. */
  readonly lock: string;
}

/**
 * Why a namespace is not to be removed: what somebody keeps in it besides what was installed there.
 *
 * @returns the first that is found, such as `Ingress shop is in it`; undefined if there is nothing
 */
export async function inhabitantOf(client: Pick<KubeClient, 'list'>, namespace: string, household: Household, signal: AbortSignal): Promise<string | undefined> {
  if (household.unknown.length > 0) return `it cannot be seen what of ${household.unknown.join(', ')} is in it`;
  for (const resource of household.kinds.filter(({ kind }) => !OF_NO_WORTH.includes(kind))) {
    try {
      for await (const object of client.list<KubeObject>(resource, { namespace, signal })) {
        if (isSomebodys({ ...object, kind: resource.kind }, household)) return `${resource.kind} ${object.metadata.name} is in it`;
      }
    } catch (error) {
      if (isForbidden(error)) return `you may not look whether there are ${resource.plural} in it`;
      // A kind may go meanwhile, and of some it is said only then that they cannot be listed.
      if (!isNotFound(error) && !(error instanceof ApiError && error.status === 405)) throw error;
    }
  }
  return undefined;
}

/** Whether an object is neither of the installation, nor of another object, nor of the cluster itself. */
export function isSomebodys(object: KubeObject & { readonly type?: string }, { installation, lock, kinds }: Omit<Household, 'unknown'>): boolean {
  const { kind = '', type = '', metadata: { name, deletionTimestamp, ownerReferences = [] } } = object;
  if (isInstalled(object, installation) || deletionTimestamp !== undefined) return false;
  // It goes with its owner, which counts itself, unless that is outside of the namespace.
  if (ownerReferences.length > 0) return !ownerReferences.every((owner) => kinds.some((resource) => resource.kind === owner.kind && resource.group === groupOf(owner.apiVersion)));
  if (kind === 'Lease') return name !== lock;
  if (kind === 'Secret') return !OF_ACCOUNTS.includes(type);
  return !(OF_CLUSTERS[kind] ?? []).includes(name);
}

function groupOf(apiVersion = ''): string {
  return apiVersion.includes('/') ? apiVersion.split('/', 1)[0]! : '';
}
