import { COSCHEDULING_POD_GROUPS } from '../../api/batch-schedulers';
import { objectName } from '../../api/object-name';
import { defineResource } from '../../kube/resource';
import type { PodGroup } from '../../model/kubernetes-objects';
import { groupOfUser } from './group-of-user';
import { minResources } from './min-resources';
import type { BatchScheduler } from './scheduler';

const POD_GROUPS = defineResource<PodGroup>({ ...COSCHEDULING_POD_GROUPS, kind: 'PodGroup', plural: 'podgroups', namespaced: true });

/** Label with the group of a pod. */
const GROUP = 'scheduling.x-k8s.io/pod-group';

/** Options that the group supports. */
const OPTIONS = ['resources'] as const;

const groupName = (application: string) => objectName('PodGroup', application, 'pg');

/**
 * Kubernetes' scheduler with the coscheduling plugin, by its scheduler name. It uses a PodGroup for
 * driver and executors, whose name is short enough for the pods' label.
 *
 * Before it places the driver, it compares the requests of the driver and the first executors with
 * the free resources of the nodes at that moment. It reserves nothing. The driver creates the
 * executors, so a group cannot require more than one pod, and the scheduler can admit several
 * applications for the same resources. Pods in a group of their user remain there.
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
