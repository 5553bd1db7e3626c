import { problemText } from '../../../src/model/problem';
import type { Pod, PodGroup } from '../../../src/model/kubernetes-objects';
import { planNative, planSparkSubmit } from '../../../src/plan/plan';
import { prepareSubmission } from '../../../src/plan/prepare';
import type { BatchSchedulerSettings } from '../../../src/plan/schedulers/scheduler';
import { application, CONTEXT, type Changes } from '../application';
import { executorOf } from '../executor-model';

/** Pods as schedulers see them, and the group that was made for them. */
export interface Seen {
  readonly driver: Pod;
  readonly executor: Pod;
  readonly group: PodGroup | undefined;
  readonly warnings: readonly string[];
}

/** What a native submission comes to: the driver as it is created, and an executor as Spark's driver makes it of the template. */
export function seenNatively(changes: Changes, batchSchedulers?: BatchSchedulerSettings): Seen {
  const prepared = prepareSubmission(application(changes), { ...CONTEXT, batchSchedulers });
  const { driver, resources, warnings } = planNative(prepared);
  return {
    driver,
    executor: executorOf(prepared.executorTemplate, prepared),
    group: resources.find(({ kind }) => kind === 'PodGroup') as PodGroup | undefined,
    warnings: warnings.map(problemText),
  };
}

/** The same of spark-submit, as far as schedulers go: Spark puts labels and annotations of its properties over those of the template (KubernetesConf). */
export function seenBySparkSubmit(changes: Changes, batchSchedulers?: BatchSchedulerSettings): Omit<Seen, 'warnings'> {
  const prepared = prepareSubmission(application(changes), { ...CONTEXT, batchSchedulers });
  const { driverTemplate: { metadata, spec }, executorTemplate, resources } = planSparkSubmit(prepared);
  const { labels, annotations } = metadata as Pod['metadata'];
  const map = (prefix: string) => Object.fromEntries(prepared.properties.withPrefix(prefix));
  // Each of its runs has an id of its own, which the driver has from it.
  const own = { 'spark-app-selector': 'spark-4f1d0c2b' };
  return {
    driver: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'driver',
        labels: { ...labels, ...map('spark.kubernetes.driver.label.'), ...own }, annotations: { ...annotations, ...map('spark.kubernetes.driver.annotation.') },
      },
      spec: spec!,
    },
    executor: executorOf(executorTemplate, prepared),
    group: resources.find(({ kind }) => kind === 'PodGroup') as PodGroup | undefined,
  };
}

/** What each scheduler reads of a pod, by its own sources. */
export const READS: { readonly [scheduler: string]: (pod: Pod) => object } = {
  // pkg/scheduler/api/job_info.go: getJobID
  volcano: ({ metadata, spec }) => ({ schedulerName: spec.schedulerName, group: metadata.annotations?.['scheduling.k8s.io/group-name'] }),
  // pkg/util/podgroup.go: GetPodGroupLabel
  coscheduling: ({ metadata, spec }) => ({ schedulerName: spec.schedulerName, group: metadata.labels?.['scheduling.x-k8s.io/pod-group'] }),
  // pkg/common/utils/utils.go: GetApplicationIDFromPod, GetQueueNameFromPod, GetTaskGroupFromPodSpec; pkg/cache: GetTaskGroupsFromAnnotation
  yunikorn: ({ metadata: { labels = {}, annotations = {} }, spec }) => ({
    schedulerName: spec.schedulerName,
    application: labels['yunikorn.apache.org/app-id'] ?? annotations['yunikorn.apache.org/app-id'] ?? labels.applicationId ?? labels['spark-app-selector'],
    queue: labels['yunikorn.apache.org/queue'] ?? annotations['yunikorn.apache.org/queue'] ?? labels.queue,
    taskGroup: annotations['yunikorn.apache.org/task-group-name'],
    taskGroups: annotations['yunikorn.apache.org/task-groups'] && JSON.parse(annotations['yunikorn.apache.org/task-groups']),
  }),
};
