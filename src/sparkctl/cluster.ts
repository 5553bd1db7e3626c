import type { Options, Values } from './options';
import type { KubeClient } from '../kube/client';
import type { Connection } from '../kube/connection';

/** The options of all commands that talk to a cluster, as kubectl has them. */
export const CLUSTER_OPTIONS = {
  namespace: { short: 'n', value: 'NAME', isNoneIfEmpty: true, help: "namespace (default: that of the kubeconfig's context, else default)" },
  context: { value: 'NAME', isNoneIfEmpty: true, help: 'context of the kubeconfig (default: its current one)' },
  kubeconfig: { value: 'FILE', isNoneIfEmpty: true, help: '(default: $KUBECONFIG, else ~/.kube/config, else the service account of the pod)' },
} as const satisfies Options;

/** Of commands that look at several objects. */
export const SELECTION_OPTIONS = {
  'all-namespaces': { short: 'A', help: 'in all namespaces' },
  'selector': { short: 'l', value: 'QUERY', help: 'only those with these labels, such as team=data,env!=test' },
} as const satisfies Options;

export type ClusterValues = Values<typeof CLUSTER_OPTIONS>;

/** A cluster that a command works with. */
export interface Cluster {
  readonly client: KubeClient;
  readonly connection: Connection;
  /** The namespace that is meant when none is named. */
  readonly namespace: string;
  /** The files that it was found by; none in a pod, by its service account. */
  readonly kubeconfig?: readonly string[];
  readonly context?: string;
}

/**
 * Connects to a cluster. Nothing is sent yet.
 *
 * @throws {CommandError} when the configuration is missing or wrong
 */
export type Connect = (values: ClusterValues) => Promise<Cluster>;
