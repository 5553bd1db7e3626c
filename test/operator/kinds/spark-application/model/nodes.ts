import { DRIVER_CONTAINER, LABEL_SPARK_EXECUTOR_ID, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID } from '../../../../../src/api/labels';
import { CONFIG_MAPS, PODS } from '../../../../../src/model/resources';
import type { ApiServer, Stored } from './api-server';
import type { ModelClock } from './model-clock';

/** Changes of a pod. A change that cannot happen to it now does nothing. */
export const POD_CHANGES = [
  'schedule',
  'no node',
  'no image',
  'run',
  'succeed',
  'fail',
  'evict',
  'succeed beside a sidecar',
  'fail beside a sidecar',
  'unknown',
  'known again',
  'wait again',
  'lose node', 'node is back', 'stop', 'go', 'delete', 'force deletion',
] as const;
export type PodChange = typeof POD_CHANGES[number];

export const isDriver = ({ metadata }: Stored): boolean => (
  metadata.labels?.[LABEL_SPARK_ROLE] === 'driver' && metadata.ownerReferences !== undefined
);
export const submissionOf = ({ metadata }: Stored): string | undefined => metadata.labels?.[LABEL_SUBMISSION_ID];
const terminated = ({ status }: Stored) => (
  status?.containerStatuses?.find(({ name }: { name: string }) => name === DRIVER_CONTAINER)?.state?.terminated
);
export const exitCodeOf = (pod: Stored): number | undefined => terminated(pod)?.exitCode;
/** Whether Spark's process in a pod has ended, or can never begin. */
export const hasEnded = (pod: Stored): boolean => ['Succeeded', 'Failed'].includes(pod.status?.phase) || terminated(pod) !== undefined;
export const hasSucceeded = (pod: Stored): boolean => (terminated(pod)
  ? terminated(pod).exitCode === 0
  : pod.status?.phase === 'Succeeded');

/** Scheduler, kubelets and users' kubectl, as far as they affect pods. */
export class Nodes {
  private readonly lost = new Set<string>();

  constructor(private readonly server: ApiServer, private readonly clock: ModelClock) {}

  /** Returns the pods of drivers, of all submissions. */
  drivers(): Stored[] {
    return this.server.all(PODS).filter(isDriver);
  }

  /**
   * Applies a change to a pod.
   *
   * @returns whether it was possible
   */
  happen(pod: Stored, change: PodChange): boolean {
    const { phase, conditions } = pod.status;
    const isLost = this.lost.has(pod.metadata.uid);
    const isOnNode = pod.spec.nodeName !== undefined;
    const is = (...phases: string[]) => !isLost && phases.includes(phase) && (phase === 'Pending' || !hasEnded(pod));
    switch (change) {
      case 'schedule':
        if (isOnNode || !is('Pending')) return false;
        this.server.update(
          'scheduler', PODS, { ...pod, spec: { ...pod.spec, nodeName: 'node' }, status: { phase, startTime: this.clock.serverTime() } },
        );
        return true;
      case 'no node': return !isOnNode && !conditions && is('Pending')
        && this.say(pod, { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' }] });
      case 'no image': return isOnNode && is('Pending')
        && this.say(pod, { containerStatuses: [container({ waiting: { reason: 'ImagePullBackOff', message: 'no such image' } })] });
      case 'run': return isOnNode && is('Pending') && !pod.metadata.deletionTimestamp && this.hasConfigMaps(pod)
        && this.say(pod, { phase: 'Running', containerStatuses: [container({ running: {} })] });
      case 'succeed': return is('Running') && this.say(pod, { phase: 'Succeeded', containerStatuses: [this.ended(0)] });
      case 'fail': return is('Running') && this.say(pod, { phase: 'Failed', containerStatuses: [this.ended(1)] });
      case 'evict': return isOnNode && is('Pending', 'Running')
        && this.say(pod, { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.', containerStatuses: [] });
      case 'succeed beside a sidecar': return is('Running')
        && this.say(pod, { containerStatuses: [this.ended(0), { name: 'proxy', state: { running: {} } }] });
      case 'fail beside a sidecar': return is('Running')
        && this.say(pod, { containerStatuses: [this.ended(1), { name: 'proxy', state: { running: {} } }] });
      case 'unknown': return is('Running') && this.say(pod, { phase: 'Unknown' });
      case 'known again': return is('Unknown') && this.say(pod, { phase: 'Running' });
      case 'wait again': return is('Running', 'Unknown') && this.say(pod, { phase: 'Pending', containerStatuses: [] });
      case 'lose node': return isOnNode && !isLost && this.lost.add(pod.metadata.uid) !== undefined;
      case 'node is back': return this.lost.delete(pod.metadata.uid);
      case 'stop': return pod.metadata.deletionTimestamp !== undefined && is('Pending', 'Running')
        && this.say(pod, { phase: 'Failed', containerStatuses: [this.ended(143)] });
      case 'go':
        if (!pod.metadata.deletionTimestamp || isLost) return false;
        this.server.remove('kubelet', PODS, pod.metadata);
        return true;
      case 'delete':
        if (pod.metadata.deletionTimestamp) return false;
        this.server.delete('kubectl', PODS, pod.metadata);
        return true;
      case 'force deletion':
        this.server.remove('kubectl', PODS, pod.metadata);
        return true;
    }
  }

  /** Applies a change to the executors of a running driver, up to this number. */
  executors(driver: Stored, count: number, change: 'Running' | 'Failed' | 'Succeeded' | 'go'): void {
    for (let number = 1; number <= count; number++) this.executor(driver, number, change);
  }

  /** Creates an executor, changes its phase, or removes it. */
  private executor(driver: Stored, number: number, change: 'Running' | 'Failed' | 'Succeeded' | 'go'): void {
    const ref = { namespace: driver.metadata.namespace, name: `${driver.metadata.uid}-exec-${number}` };
    const pod = this.server.find(PODS, ref);
    if (!pod) {
      if (driver.status.phase !== 'Running' || hasEnded(driver)) return;
      this.server.create('driver', PODS, {
        metadata: {
          ...ref,
          labels: { ...driver.metadata.labels, [LABEL_SPARK_ROLE]: 'executor', [LABEL_SPARK_EXECUTOR_ID]: String(number) },
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: driver.metadata.name, uid: driver.metadata.uid, controller: true }],
        },
        spec: {},
      });
    } else if (change === 'go') {
      this.server.remove('kubelet', PODS, ref);
    } else {
      this.say(pod, { phase: change });
    }
  }

  private say(pod: Stored, status: object): true {
    this.server.update('kubelet', PODS, { ...pod, status: { ...pod.status, ...status } });
    return true;
  }

  private ended(exitCode: number) {
    return container({ terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: this.clock.serverTime() } });
  }

  /** The kubelet starts no container until all volumes of its pod are there. */
  private hasConfigMaps({ metadata: { namespace }, spec }: Stored): boolean {
    const names: string[] = (spec.volumes ?? []).flatMap(({ configMap }: { configMap?: { name: string } }) => configMap?.name ?? []);
    return names.every((name) => this.server.find(CONFIG_MAPS, { namespace, name }));
  }
}

function container(state: object) {
  return { name: DRIVER_CONTAINER, state };
}
