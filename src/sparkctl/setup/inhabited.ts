import { KEPT_KINDS } from './kinds';
import { isInstalled } from './labels';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS, SPARK_CONNECTS } from '../../operator/resources';

/** ConfigMaps that clusters put into each namespace. */
const OF_CLUSTERS: readonly string[] = ['kube-root-ca.crt', 'openshift-service-ca.crt', 'istio-ca-root-cert'];

/** Secrets that clusters make for service accounts. */
const OF_ACCOUNTS: readonly string[] = ['kubernetes.io/service-account-token', 'kubernetes.io/dockercfg'];

/**
 * What somebody keeps in a namespace besides what was installed there, as `Kind name`.
 *
 * @returns the first that is found; undefined if there is nothing
 */
export async function inhabitantOf(client: Pick<KubeClient, 'list'>, namespace: string, installation: string, signal: AbortSignal): Promise<string | undefined> {
  for (const resource of [SPARK_APPLICATIONS, SCHEDULED_SPARK_APPLICATIONS, SPARK_CONNECTS, ...KEPT_KINDS]) {
    try {
      for await (const object of client.list<KubeObject>(resource, { namespace, signal })) {
        if (isSomebodys({ ...object, kind: resource.kind }, installation)) return `${resource.kind} ${object.metadata.name}`;
      }
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return undefined;
}

/** Whether an object is neither of the installation nor of the cluster itself. */
export function isSomebodys(object: KubeObject & { readonly type?: string }, installation: string): boolean {
  const { kind, type = '', metadata } = object;
  if (isInstalled(object, installation) || metadata.deletionTimestamp !== undefined) return false;
  if (kind === 'ConfigMap') return !OF_CLUSTERS.includes(metadata.name);
  return kind !== 'Secret' || !OF_ACCOUNTS.includes(type);
}
