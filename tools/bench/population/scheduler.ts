import { callUnlessGone, type ApiClient } from '../api-client.ts';
import { nodeName } from './nodes.ts';

/** What is read of a pod. */
export interface PendingPod {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly spec: { readonly nodeName?: string };
}

export interface SchedulerOptions {
  /** Its sockets bound how many calls are under way. */
  readonly client: Pick<ApiClient, 'call'>;
  /** How many nodes there are. */
  readonly nodes: number;
  /** A pod could not be bound. */
  readonly onProblem: (error: Error) => void;
}

/**
 * Plays the kube-scheduler: binds each pod that has no node to the next one, by the call that the kube-scheduler makes. That one follows all pods and looks at all nodes for each driver, which took up to a
 * fifth of two processors with 60,000 pods.
 */
export class Scheduler {
  private readonly options: SchedulerOptions;
  private readonly bound = new Set<string>();

  constructor(options: SchedulerOptions) {
    this.options = options;
  }

  /** Looks at a pod that was created or has changed. */
  see(pod: PendingPod): void {
    const { uid } = pod.metadata;
    if (pod.spec.nodeName !== undefined || this.bound.has(uid)) return;
    this.bound.add(uid);
    this.bind(pod, nodeName(1 + this.bound.size % this.options.nodes)).catch(this.options.onProblem);
  }

  private bind({ metadata: { namespace, name, uid } }: PendingPod, node: string): Promise<void> {
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target: { apiVersion: 'v1', kind: 'Node', name: node } };
    return callUnlessGone(this.options.client, 'POST', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, binding);
  }
}
