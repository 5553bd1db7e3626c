import { objectName } from '../../api/object-name';
import { defineResource } from '../kube/resource';
import type { PodGroup } from '../kubernetes-objects';
import { minResources } from './min-resources';
import type { BatchScheduler } from './scheduler';

const POD_GROUPS = defineResource<PodGroup>({ group: 'scheduling.x-k8s.io', version: 'v1alpha1', kind: 'PodGroup', plural: 'podgroups', namespaced: true });

/** The group of a pod. */
const GROUP = 'scheduling.x-k8s.io/pod-group';

/**
 * Kubernetes' own scheduler with the coscheduling plugin, under the name that it runs by: a PodGroup for driver and executors, whose name is short enough for the label that refers to it. No pod of it
 * is placed unless the nodes have room for all that the driver and the executors it begins with ask for. Pods whose user has put them into a group of their own stay there.
 *
 * @see https://github.com/kubernetes-sigs/scheduler-plugins/tree/master/pkg/coscheduling
 */
export function kubeScheduler(name: string): BatchScheduler {
  return {
    name,
    options: ['resources'],
    resource: POD_GROUPS,

    plan: (request) => {
      const { application, own } = request;
      const given = own('driver', 'labels', GROUP);
      const group = given ?? objectName('PodGroup', application, 'pg');
      const executor = { labels: { [GROUP]: own('executor', 'labels', GROUP) ?? group } };
      if (given) return { driver: {}, executor };
      const resources = minResources(request);
      return {
        driver: { labels: { [GROUP]: group } },
        executor,
        group: {
          apiVersion: 'scheduling.x-k8s.io/v1alpha1',
          kind: 'PodGroup',
          metadata: { name: group },
          spec: { minMember: 1, ...(resources && { minResources: resources }) },
        },
      };
    },
  };
}
