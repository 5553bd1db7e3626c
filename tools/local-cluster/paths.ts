import { homedir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from './errors.ts';

/** The folder that holds everything this tool keeps: built parts, images, and the state of each cluster. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  // A relative XDG_CACHE_HOME is invalid by the specification, and must be ignored.
  const base = environment.XDG_CACHE_HOME?.startsWith('/') ? environment.XDG_CACHE_HOME : join(homedir(), '.cache');
  return join(base, 'cdk8s-spark-operator');
}

export function clustersFolder(cache = cacheFolder()): string {
  return join(cache, 'clusters');
}

export const DEFAULT_CLUSTER = 'local';

/** The name goes into file names, a network namespace and a cgroup. */
export function checkClusterName(name: string): string {
  if (!/^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$/.test(name)) {
    throw new ToolError(`"${name}" is not a name for a cluster`, 'Use up to 30 lower-case letters, digits and dashes, starting with a letter.');
  }
  return name;
}

/** Where one cluster keeps what, all below one folder that `down` removes. */
export interface ClusterPaths {
  readonly name: string;
  /** The folder of this cluster. */
  readonly state: string;
  /** Facts about the running cluster, for later commands. */
  readonly record: string;
  /** Kubernetes' programs by name; first in the PATH of `exec`. */
  readonly bin: string;
  readonly pki: string;
  readonly config: string;
  readonly logs: string;
  readonly podLogs: string;
  readonly auditLog: string;
  readonly etcd: string;
  readonly kubelet: string;
  readonly containerd: string;
  readonly kubeconfig: string;
  readonly kubectlCache: string;
  /** The named network namespace. */
  readonly netns: string;
  readonly netnsFile: string;
  /** The parent of the pods' cgroups, relative to each hierarchy's root. */
  readonly cgroup: string;
}

export function clusterPaths(name: string, cache = cacheFolder()): ClusterPaths {
  const state = join(clustersFolder(cache), checkClusterName(name));
  const netns = `spark-${name}`;
  return {
    name,
    state,
    record: join(state, 'cluster.json'),
    bin: join(state, 'bin'),
    pki: join(state, 'pki'),
    config: join(state, 'config'),
    logs: join(state, 'logs'),
    podLogs: join(state, 'logs', 'pods'),
    auditLog: join(state, 'logs', 'audit.log'),
    etcd: join(state, 'etcd'),
    kubelet: join(state, 'kubelet'),
    containerd: join(state, 'containerd'),
    kubeconfig: join(state, 'admin.kubeconfig'),
    kubectlCache: join(state, 'kubectl-cache'),
    netns,
    netnsFile: `/run/netns/${netns}`,
    cgroup: `/spark-${name}`,
  };
}
