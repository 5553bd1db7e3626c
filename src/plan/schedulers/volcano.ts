import { NAMED_SCHEDULERS } from '../../api/batch-schedulers';
import { defineResource } from '../../kube/resource';
import type { PodGroup } from '../../model/kubernetes-objects';
import { SubmissionError } from '../errors';
import { groupOfUser } from './group-of-user';
import { minResources } from './min-resources';
import type { BatchScheduler } from './scheduler';
import { isSubdomain } from '../../rules/names';

const POD_GROUPS = defineResource<PodGroup>({ ...NAMED_SCHEDULERS.volcano.podGroups, kind: 'PodGroup', plural: 'podgroups', namespaced: true });

/**
 * The group of a pod. Volcano's scheduler looks for no other name, and its controller makes a group of one for each pod that has none, so that an application whose executors had none would be
 * many groups.
 */
const GROUP = 'scheduling.k8s.io/group-name';

/** What the group has of the options. */
const OPTIONS = ['queue', 'priorityClassName', 'resources'] as const;

const groupName = (application: string) => `spark-${application}-pg`;

/**
 * Volcano: a PodGroup for driver and executors. It counts as one pod at least, as the driver makes the executors, and the scheduler lets it in (`Inqueue`) when there is room for all that the driver
 * and the executors it begins with ask for, besides what the groups that it has let in before still lack (its plugins overcommit, proportion and capacity). Pods whose user has put them into a group of
 * their own stay there.
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
      throw new SubmissionError({ field: 'spec.batchSchedulerOptions.queue', value: queue, reason: 'is not what a queue of Volcano can be called', remedy: "write lower-case letters, digits, '-' and '.'" });
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
        spec: { minMember: 1, ...(resources && { minResources: resources }), ...(queue && { queue }), ...(priorityClassName && { priorityClassName }) },
      },
    };
  },
};
