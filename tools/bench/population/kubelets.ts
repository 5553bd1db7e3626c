import { callUnlessGone, type ApiClient } from '../api-client.ts';

/** A pod starts so many milliseconds after it was given a node, the image being there: at least, and more at most. */
const [START, JITTER] = [500, 1000];
const CONDITIONS = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];

/** What is read of a pod. */
export interface PlayedPod {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
}

export interface KubeletsOptions {
  /** Its sockets bound how many calls are under way. */
  readonly client: Pick<ApiClient, 'call'>;
  /** A pod runs: the API server has taken its status. */
  readonly onRunning?: (pod: PlayedPod) => void;
  /** A part could not be played. */
  readonly onProblem: (error: Error) => void;
  /** From 0 to less than 1. @default Math.random */
  readonly random?: () => number;
}

/**
 * Plays what kubelets do with pods: one that has a node runs after a moment, and is gone for good soon after it was deleted. How it ends otherwise is left to whoever plays what is in it. It does not watch
 * all pods, as nodes together do: that would take more of the few processors than all that it has to do.
 */
export class Kubelets {
  private readonly options: KubeletsOptions;
  private addresses = 0;

  constructor(options: KubeletsOptions) {
    this.options = options;
  }

  /** A pod was given a node. */
  run(pod: PlayedPod): void {
    const { client, random = Math.random, onRunning, onProblem } = this.options;
    setTimeout(() => {
      const status = runningStatus(pod, this.nextAddress(), new Date());
      callUnlessGone(client, 'PATCH', `${pathOf(pod.metadata)}/status`, { status }, 'application/merge-patch+json').then(() => onRunning?.(pod)).catch(onProblem);
    }, START + random() * JITTER);
  }

  /** A pod was deleted, with a time of grace that its containers do not need. */
  async remove(pod: PlayedPod['metadata']): Promise<void> {
    await callUnlessGone(this.options.client, 'DELETE', `${pathOf(pod)}?gracePeriodSeconds=0`);
  }

  private nextAddress(): string {
    const number = ++this.addresses;
    return `10.${[65_536, 256, 1].map((unit) => Math.floor(number / unit) % 256).join('.')}`;
  }
}

function pathOf({ namespace, name }: PlayedPod['metadata']): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

/** The status that a kubelet reports of a pod whose containers all run. */
export function runningStatus({ spec: { containers } }: PlayedPod, podIP: string, now: Date): object {
  const startedAt = now.toISOString().replace(/\.\d{3}Z$/, 'Z');
  return {
    phase: 'Running',
    startTime: startedAt,
    podIP,
    podIPs: [{ ip: podIP }],
    // This list is replaced as a whole.
    conditions: CONDITIONS.map((type) => ({ type, status: 'True', lastTransitionTime: startedAt })),
    containerStatuses: containers.map(({ name, image }) => ({ name, image, imageID: '', ready: true, started: true, restartCount: 0, state: { running: { startedAt } } })),
  };
}
