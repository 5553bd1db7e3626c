import { NAMED_SCHEDULERS } from '../../api/batch-schedulers';
import { defineResource } from '../../kube/resource';
import type { PodGroup } from '../../model/kubernetes-objects';
import { SubmissionError } from '../errors';
import { groupOfUser } from './group-of-user';
import { minResources } from './min-resources';
import type { BatchScheduler } from './scheduler';
import { isSubdomain } from '../../rules/names';

const POD_GROUPS = defineResource<PodGroup>({
  ...NAMED_SCHEDULERS.volcano.podGroups, kind: 'PodGroup', plural: 'podgroups', namespaced: true,
});

/**
 * Annotation with the group of a pod. Volcano's scheduler reads no other name. Its controller
 * creates a group for each pod without one, so without it an application would have a group for
 * each executor.
 */
const GROUP = 'scheduling.k8s.io/group-name';

/** Options that the group supports. */
const OPTIONS = ['queue', 'priorityClassName', 'resources'] as const;

const groupName = (application: string) => `spark-${application}-pg`;

/**
 * Volcano: a PodGroup for driver and executors. Its minimum is one pod, as the driver creates the
 * executors. The scheduler admits it (`Inqueue`) when there are enough resources for the driver and
 * its initial executors, in addition to those that previously admitted groups still lack (its
 * plugins overcommit, proportion and capacity). Pods in a group of their user remain there.
 *
 * @see https://volcano.sh/docs/podgroup
 */
export const volcano: BatchScheduler = {
  name: 'volcano',
  options: OPTIONS,
  resource: POD_GROUPS,
  groupName,

  plan: (request) => {
    const { application, options: { queue, priorityClassName }, own } = request;
    const given = own('driver', 'annotations', GROUP);
    const name = given ?? groupName(application);
    if (queue && !isSubdomain(queue)) {
      throw new SubmissionError({
        field: 'spec.batchSchedulerOptions.queue', value: queue, reason: 'is not a valid name of a Volcano queue',
        remedy: "write lower-case letters, digits, '-' and '.'",
      });
    }
    const resources = minResources(request);
    const executor = { annotations: { [GROUP]: own('executor', 'annotations', GROUP) ?? name } };
    if (given) return { driver: {}, executor, warnings: groupOfUser(OPTIONS, request.options) };
    return {
      driver: { annotations: { [GROUP]: name } },
      executor,
      group: {
        apiVersion: 'scheduling.volcano.sh/v1beta1',
        kind: 'PodGroup',
        metadata: { name },
        spec: {
          minMember: 1, ...(resources && { minResources: resources }), ...(queue && { queue }), ...(priorityClassName
          && { priorityClassName }),
        },
      },
    };
  },
};
