import { COSCHEDULING_POD_GROUPS } from '../../api/batch-schedulers';
import { objectName } from '../../api/object-name';
import { defineResource } from '../../kube/resource';
import type { PodGroup } from '../../model/kubernetes-objects';
import { groupOfUser } from './group-of-user';
import { minResources } from './min-resources';
import type { BatchScheduler } from './scheduler';

const POD_GROUPS = defineResource<PodGroup>({ ...COSCHEDULING_POD_GROUPS, kind: 'PodGroup', plural: 'podgroups', namespaced: true });

/** The group of a pod. */
const GROUP = 'scheduling.x-k8s.io/pod-group';

/** What the group has of the options. */
const OPTIONS = ['resources'] as const;

const groupName = (application: string) => objectName('PodGroup', application, 'pg');

/**
 * Kubernetes' own scheduler with the coscheduling plugin, under the name that it runs by: a PodGroup for driver and executors, whose name is short enough for the label that refers to it. Before it
 * places the driver it compares what driver and first executors ask for with what the nodes have free at this moment. It reserves nothing: the driver makes the executors, so that a group cannot ask for
 * more than one pod, and several applications that begin together can be let in for the same room. Pods whose user has put them into a group of their own stay there.
 *
 * @see https://github.com/kubernetes-sigs/scheduler-plugins/tree/master/pkg/coscheduling
 */
export function kubeScheduler(name: string): BatchScheduler {
  return {
    name,
    options: OPTIONS,
    resource: POD_GROUPS,
    groupName,

    plan: (request) => {
      const { application, own } = request;
      const given = own('driver', 'labels', GROUP);
      const group = given ?? groupName(application);
      const executor = { labels: { [GROUP]: own('executor', 'labels', GROUP) ?? group } };
      if (given) return { driver: {}, executor, warnings: groupOfUser(OPTIONS, request.options) };
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
