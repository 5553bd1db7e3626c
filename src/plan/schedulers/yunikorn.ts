import type { StringMap } from '../../model/kubernetes-objects';
import { SubmissionError } from '../errors';
import type { Role } from '../properties/role';
import { type Problem, withoutEffect } from '../../model/problem';
import { requestsOf } from './min-resources';
import type { BatchScheduler, GangPod, Marks, SchedulingRequest } from './scheduler';
import { isLabelValue } from '../../rules/names';

/** A label or annotation of a pod that YuniKorn reads. */
interface Mark {
  readonly where: keyof Marks;
  readonly name: string;
  readonly value: string;
}

/**
 * Returns the labels and annotations that newer releases read first (`GetApplicationIDFromPod` and
 * `GetQueueNameFromPod` of its shim).
 */
const canonical = (name: string) => (['labels', 'annotations'] as const).map((where) => ({ where, name: `yunikorn.apache.org/${name}` }));

/**
 * Label with the application of a pod, which all releases read. The operator always sets it.
 * Otherwise YuniKorn would read `spark-app-selector`, which differs between driver and executors of
 * spark-submit in some versions of Spark.
 */
const APPLICATION = { where: 'labels', name: 'applicationId' } as const;
/** Label with the queue, which all releases read. */
const QUEUE = { where: 'labels', name: 'queue' } as const;
const TASK_GROUP = 'yunikorn.apache.org/task-group-name';
const TASK_GROUPS = 'yunikorn.apache.org/task-groups';

const GROUPS = { driver: 'spark-driver', executor: 'spark-executor' } as const;

/**
 * Apache YuniKorn, which needs no object. An annotation of the driver describes the initial pods of
 * the application, and YuniKorn reserves resources for all of them before it places the driver. A
 * group without executors is omitted, as YuniKorn rejects it.
 *
 * If the user has set the driver's groups, driver and executors remain unchanged: the operator does
 * not know which group is theirs. Executors inherit application and queue from the driver's labels
 * and annotations, unless they have their own.
 *
 * @see https://yunikorn.apache.org/docs/user_guide/gang_scheduling
 * @see https://yunikorn.apache.org/docs/user_guide/labels_and_annotations_in_yunikorn
 */
export const yunikorn: BatchScheduler = {
  name: 'yunikorn',
  options: ['queue'],

  plan: (request) => {
    const { applicationId, options: { queue }, gang } = request;
    refuseQueue(queue);
    const application = { ...APPLICATION, value: applicationId };
    const identity = markOf(request, [...canonical('app-id'), APPLICATION], application);
    const place = markOf(request, canonical('queue'), queue ? { ...QUEUE, value: queue } : undefined);
    const marks = (role: Role, annotations: StringMap): Marks => marksOf([identity(role), place(role)], annotations);
    const warnings = queueWarnings(queue, place('driver'));
    if (request.own('driver', 'annotations', TASK_GROUPS) || !gang) {
      return { driver: marks('driver', {}), executor: marks('executor', {}), warnings: [...warnings, ...groupWarnings(request)] };
    }
    const groups = [
      taskGroup(GROUPS.driver, gang.driver, 1),
      ...(gang.executors > 0 ? [taskGroup(GROUPS.executor, gang.executor, gang.executors)] : []),
    ];
    return {
      driver: marks('driver', { [TASK_GROUP]: GROUPS.driver, [TASK_GROUPS]: JSON.stringify(groups) }),
      // Later executors of dynamic allocation are also in the group, if there is one.
      executor: marks('executor', gang.executors > 0 ? { [TASK_GROUP]: GROUPS.executor } : {}),
      warnings,
    };
  },
};

/**
 * Returns the label or annotation of a role: the user's in one of the places, for executors also
 * the driver's, otherwise the default.
 */
function markOf(
  { own }: SchedulingRequest, places: readonly Omit<Mark, 'value'>[], otherwise: Mark | undefined,
): (role: Role) => Mark | undefined {
  const written = (role: Role) => places.map(({ where, name }) => ({
    where, name, value: own(role, where, name),
  })).find((mark): mark is Mark => mark.value !== undefined);
  return (role) => written(role) ?? (role === 'executor' ? written('driver') : undefined) ?? otherwise;
}

function marksOf(marks: readonly (Mark | undefined)[], annotations: StringMap): Marks {
  const of = (place: keyof Marks) => Object.fromEntries(marks.flatMap((mark) => (mark?.where === place ? [[mark.name, mark.value]] : [])));
  const [labels, others] = [of('labels'), { ...of('annotations'), ...annotations }];
  return { ...(Object.keys(labels).length > 0 && { labels }), ...(Object.keys(others).length > 0 && { annotations: others }) };
}

function queueWarnings(queue: string | undefined, place: Mark | undefined): Problem[] {
  if (!queue || !place || place.value === queue) return [];
  return [withoutEffect(
    'spec.batchSchedulerOptions.queue',
    `: the driver's ${place.where === 'labels' ? 'label' : 'annotation'} ${place.name} takes precedence`,
  )];
}

/**
 * Returns warnings about pods in none of the user's groups. They must name their group themselves.
 */
function groupWarnings({ own }: SchedulingRequest): Problem[] {
  if (!own('driver', 'annotations', TASK_GROUPS)) return [];
  return (['driver', 'executor'] as const).filter((role) => !own(role, 'annotations', TASK_GROUP)).map((role) => ({
    path: `spec.${role}.annotations`,
    reason: `has no ${TASK_GROUP}: with ${TASK_GROUPS} of your own ${role === 'driver' ? 'the driver is' : 'executors are'} in none of the groups without it`,
    severity: 'warning',
  }));
}

/**
 * Returns a group: the number of pods for which YuniKorn reserves resources, and their placement.
 */
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
    // For references to them, such as the affinity of other pods.
    ...(Object.keys(pod.labels).length > 0 && { labels: pod.labels }),
  };
}

function refuseQueue(queue: SchedulingRequest['options']['queue']): void {
  if (!queue || isLabelValue(queue)) return;
  throw new SubmissionError({
    field: 'spec.batchSchedulerOptions.queue', value: queue,
    reason: 'is not valid in the label with which YuniKorn selects a queue',
    remedy: "write at most 63 letters, digits, '-', '_' and '.', such as root.spark",
  });
}
