import type { StringMap } from '../kubernetes-objects';
import { SubmissionError } from '../submission/errors';
import { requestsOf } from './min-resources';
import type { BatchScheduler, GangPod, Marks, SchedulingRequest } from './scheduler';

/** The application that a pod belongs to: spark-submit's driver and its executors do not agree on `spark-app-selector` in every version of Spark, which YuniKorn would take else. */
const APPLICATION = 'applicationId';
/** The queue, by the label that all releases read. */
const QUEUE = 'queue';
const TASK_GROUP = 'yunikorn.apache.org/task-group-name';
const TASK_GROUPS = 'yunikorn.apache.org/task-groups';

const GROUPS = { driver: 'spark-driver', executor: 'spark-executor' } as const;

/**
 * Apache YuniKorn: nothing is made for it. The driver says of which pods the application consists when it begins, and YuniKorn keeps room for all of them before it places the driver. A group of no
 * executors is left out, as YuniKorn takes none. A driver whose user has written its groups is left as it is.
 *
 * @see https://yunikorn.apache.org/docs/user_guide/gang_scheduling
 * @see https://yunikorn.apache.org/docs/user_guide/labels_and_annotations_in_yunikorn
 */
export const yunikorn: BatchScheduler = {
  name: 'yunikorn',
  options: ['queue'],

  plan: (request) => {
    const { applicationId, options: { queue }, gang, own } = request;
    refuseQueue(queue);
    const labels = (role: keyof typeof GROUPS) => ({ [APPLICATION]: own(role, 'labels', APPLICATION) ?? applicationId, ...(queue && { [QUEUE]: queue }) });
    const marks = (role: keyof typeof GROUPS, annotations: StringMap): Marks => ({ labels: labels(role), annotations });
    if (own('driver', 'annotations', TASK_GROUPS) || !gang) return { driver: { labels: labels('driver') }, executor: { labels: labels('executor') } };
    const groups = [
      taskGroup(GROUPS.driver, gang.driver, 1),
      ...(gang.executors > 0 ? [taskGroup(GROUPS.executor, gang.executor, gang.executors)] : []),
    ];
    return {
      driver: marks('driver', { [TASK_GROUP]: GROUPS.driver, [TASK_GROUPS]: JSON.stringify(groups) }),
      // Executors that come later, with dynamic allocation, are of the group, too, if there is one.
      executor: marks('executor', gang.executors > 0 ? { [TASK_GROUP]: GROUPS.executor } : {}),
    };
  },
};

/** What YuniKorn keeps room for: so many pods, and where they may run. */
function taskGroup(name: string, pod: GangPod, minMember: number): object {
  const { nodeSelector, tolerations, affinity, topologySpreadConstraints } = pod.spec;
  return {
    name,
    minMember,
    minResource: requestsOf(pod),
    ...(nodeSelector && Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations && tolerations.length > 0 && { tolerations }),
    ...(affinity && { affinity }),
    ...(topologySpreadConstraints && topologySpreadConstraints.length > 0 && { topologySpreadConstraints }),
    // For what refers to them, such as the affinity of others.
    ...(Object.keys(pod.labels).length > 0 && { labels: pod.labels }),
  };
}

function refuseQueue(queue: SchedulingRequest['options']['queue']): void {
  if (!queue || (queue.length <= 63 && /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(queue))) return;
  throw new SubmissionError({
    field: 'spec.batchSchedulerOptions.queue', value: queue, reason: 'does not fit into the label by which YuniKorn is told of a queue', remedy: "write at most 63 letters, digits, '-', '_' and '.', such as root.spark",
  });
}
