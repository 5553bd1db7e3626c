import type { Options, Values } from './options';
import type { KubeClient } from '../kube/client';
import type { Connection } from '../kube/connection';

/** Options of all commands that connect to a cluster; they work as in kubectl. */
export const CLUSTER_OPTIONS = {
  namespace: {
    short: 'n', value: 'NAME', isIgnoredIfEmpty: true, help: "namespace (default: that of the kubeconfig's context, else default)",
  },
  context: { value: 'NAME', isIgnoredIfEmpty: true, help: 'context of the kubeconfig (default: its current one)' },
  kubeconfig: {
    value: 'FILE', isIgnoredIfEmpty: true, help: '(default: $KUBECONFIG, else ~/.kube/config, else the service account of the pod)',
  },
} as const satisfies Options;

/** Options of commands that read several objects. */
export const SELECTION_OPTIONS = {
  'all-namespaces': { short: 'A', help: 'in all namespaces' },
  'selector': { short: 'l', value: 'QUERY', help: 'only those with these labels, such as team=data,env!=test' },
} as const satisfies Options;

export type ClusterValues = Values<typeof CLUSTER_OPTIONS>;

/** Connection to a cluster, and the namespace that a command works in. */
export interface Cluster {
  readonly client: KubeClient;
  readonly connection: Connection;
  /** Namespace of objects that the command line names without one. */
  readonly namespace: string;
  /** The kubeconfig files in use; none in a pod, where the service account applies. */
  readonly kubeconfig?: readonly string[];
  readonly context?: string;
}

/**
 * Connects to a cluster. Sends no request yet.
 *
 * @throws {CommandError} when the configuration is missing or wrong
 */
export type Connect = (values: ClusterValues) => Promise<Cluster>;
