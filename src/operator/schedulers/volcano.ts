import { defineResource } from '../kube/resource';
import type { PodGroup } from '../kubernetes-objects';
import { SubmissionError } from '../submission/errors';
import { minResources } from './min-resources';
import type { BatchScheduler } from './scheduler';

const POD_GROUPS = defineResource<PodGroup>({ group: 'scheduling.volcano.sh', version: 'v1beta1', kind: 'PodGroup', plural: 'podgroups', namespaced: true });

/**
 * The group of a pod. Volcano's scheduler looks for no other name, and its controller makes a group of one for each pod that has none, so that an application whose executors had none would be
 * many groups.
 */
const GROUP = 'scheduling.k8s.io/group-name';

/** What a queue may be called (the CRD of PodGroups). */
const QUEUE = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Volcano: a PodGroup for driver and executors. It counts as one pod at least, as the driver makes the executors, and the scheduler lets it in when there is room for all that the driver and the
 * executors it begins with ask for. Pods whose user has put them into a group of their own stay there.
 *
 * @see https://volcano.sh/docs/podgroup
 */
export const volcano: BatchScheduler = {
  name: 'volcano',
  options: ['queue', 'priorityClassName', 'resources'],
  resource: POD_GROUPS,

  plan: (request) => {
    const { application, options: { queue, priorityClassName }, own } = request;
    const given = own('driver', 'annotations', GROUP);
    const name = given ?? `spark-${application}-pg`;
    if (queue && (queue.length > 253 || !QUEUE.test(queue))) {
      throw new SubmissionError({ field: 'spec.batchSchedulerOptions.queue', value: queue, reason: 'is not what a queue of Volcano can be called', remedy: "write lower-case letters, digits, '-' and '.'" });
    }
    const resources = minResources(request);
    const executor = { annotations: { [GROUP]: own('executor', 'annotations', GROUP) ?? name } };
    if (given) return { driver: {}, executor };
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
