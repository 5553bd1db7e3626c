import { isInstalled } from './labels';
import type { NamespacedKinds } from './namespaced-kinds';
import type { KubeClient } from '../../kube/client';
import { ApiError, isForbidden, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/** Kinds whose objects the cluster generates; deleting them loses nothing. */
const GENERATED_KINDS: readonly string[] = ['Event', 'Endpoints', 'EndpointSlice'];

/** Objects that Kubernetes, OpenShift and Istio create in each namespace. */
const DEFAULT_OBJECTS: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: ['kube-root-ca.crt', 'openshift-service-ca.crt', 'istio-ca-root-cert'],
  ServiceAccount: ['default', 'builder', 'deployer'],
  RoleBinding: ['system:image-pullers', 'system:image-builders', 'system:deployers'],
};

/** Types of Secrets that clusters create for service accounts. */
const ACCOUNT_SECRET_TYPES: readonly string[] = ['kubernetes.io/service-account-token', 'kubernetes.io/dockercfg'];

/** Operator and kinds that decide which objects of a namespace are foreign. */
export interface NamespaceScope extends NamespacedKinds {
  /** Namespace of the operator. */
  readonly installation: string;
  /** Name of the operator's Lease; the names of its replicas' Leases begin with it. */
  readonly lock: string;
}

/**
 * Returns why a namespace must be kept: it contains an object that the installation did not create.
 *
 * @returns the first reason, such as `it contains Ingress shop`; undefined if there is none
 */
export async function reasonToKeep(
  client: Pick<KubeClient, 'list'>, namespace: string, scope: NamespaceScope, signal: AbortSignal,
): Promise<string | undefined> {
  if (scope.unknown.length > 0) return `the objects of ${scope.unknown.join(', ')} in it cannot be listed`;
  for (const resource of scope.kinds.filter(({ kind }) => !GENERATED_KINDS.includes(kind))) {
    try {
      for await (const object of client.list<KubeObject>(resource, { namespace, signal })) {
        if (isForeign({ ...object, kind: resource.kind }, scope)) return `it contains ${resource.kind} ${object.metadata.name}`;
      }
    } catch (error) {
      if (isForbidden(error)) return `you cannot list its ${resource.plural}`;
      // The kind can be deleted meanwhile, and some kinds answer only to the list that they do not
      // support it.
      if (!isNotFound(error) && !(error instanceof ApiError && error.status === 405)) throw error;
    }
  }
  return undefined;
}

/**
 * Returns whether an object belongs to neither the installation, nor another object, nor the
 * cluster itself.
 */
export function isForeign(
  object: KubeObject & { readonly type?: string }, { installation, lock, kinds }: Omit<NamespaceScope, 'unknown'>,
): boolean {
  const { kind = '', type = '', metadata: { name, deletionTimestamp, ownerReferences = [] } } = object;
  if (isInstalled(object, installation) || deletionTimestamp !== undefined) return false;
  // An owner in the namespace is checked itself; the object is deleted with it.
  if (ownerReferences.length > 0) {
    return !ownerReferences.every((owner) => kinds.some((resource) => resource.kind === owner.kind
      && resource.group === groupOf(owner.apiVersion)));
  }
  if (kind === 'Lease') return name !== lock;
  if (kind === 'Secret') return !ACCOUNT_SECRET_TYPES.includes(type);
  return !(DEFAULT_OBJECTS[kind] ?? []).includes(name);
}

function groupOf(apiVersion = ''): string {
  return apiVersion.includes('/') ? apiVersion.split('/', 1)[0]! : '';
}
