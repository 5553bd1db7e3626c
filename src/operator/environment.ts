import { readFileSync } from 'node:fs';
import type { Environment } from '../flags/configuration';

/** File in which the kubelet writes the namespace of a pod with a service account. */
const NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/**
 * Returns the environment of this process. The variable POD_NAMESPACE takes precedence, as it also
 * exists without a token.
 *
 * A kubeconfig means that the process is not in a cluster: the pod's own might be another one.
 */
export function environment(variables: NodeJS.ProcessEnv, args: readonly string[], read: (file: string) => string = readText): Environment {
  const inCluster = Boolean(variables.KUBERNETES_SERVICE_HOST) && !args.some((arg) => /^--kubeconfig(=|$)/.test(arg));
  return { inCluster, namespace: variables.POD_NAMESPACE || (inCluster ? fileText(read) : undefined) };
}

function fileText(read: (file: string) => string): string | undefined {
  try {
    return read(NAMESPACE_FILE).trim() || undefined;
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
