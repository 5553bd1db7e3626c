import { problemText } from '../../../src/model/problem';
import type { Pod, PodGroup } from '../../../src/model/kubernetes-objects';
import { planNative, planSparkSubmit } from '../../../src/plan/plan';
import { prepareSubmission } from '../../../src/plan/prepare';
import type { BatchSchedulerSettings } from '../../../src/plan/settings';
import { application, CONTEXT, type Changes } from '../application';
import { executorOf } from '../executor-model';

/** Pods as schedulers read them, and their group. */
export interface Seen {
  readonly driver: Pod;
  readonly executor: Pod;
  readonly group: PodGroup | undefined;
  readonly warnings: readonly string[];
}

/**
 * Returns the driver of a native submission, and an executor as Spark's driver builds it from the
 * template.
 */
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

/**
 * Returns the same for spark-submit: labels and annotations of properties take precedence over
 * those of the template (KubernetesConf).
 */
export function seenBySparkSubmit(changes: Changes, batchSchedulers?: BatchSchedulerSettings): Omit<Seen, 'warnings'> {
  const prepared = prepareSubmission(application(changes), { ...CONTEXT, batchSchedulers });
  const { driverTemplate: { metadata, spec }, executorTemplate, resources } = planSparkSubmit(prepared);
  const { labels, annotations } = metadata as Pod['metadata'];
  const map = (prefix: string) => Object.fromEntries(prepared.properties.withPrefix(prefix));
  // Each run has its own ID, which the driver gets from it.
  const own = { 'spark-app-selector': 'spark-4f1d0c2b' };
  return {
    driver: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'driver',
        labels: { ...labels, ...map('spark.kubernetes.driver.label.'), ...own },
        annotations: { ...annotations, ...map('spark.kubernetes.driver.annotation.') },
      },
      spec: { ...spec, containers: spec!.containers! },
    },
    executor: executorOf(executorTemplate, prepared),
    group: resources.find(({ kind }) => kind === 'PodGroup') as PodGroup | undefined,
  };
}

/** Reads a pod as each scheduler does, by its source code. */
export const READS: { readonly [scheduler: string]: (pod: Pod) => object } = {
  // pkg/scheduler/api/job_info.go: getJobID
  volcano: ({ metadata, spec }) => ({ schedulerName: spec.schedulerName, group: metadata.annotations?.['scheduling.k8s.io/group-name'] }),
  // pkg/util/podgroup.go: GetPodGroupLabel
  coscheduling: ({ metadata, spec }) => ({ schedulerName: spec.schedulerName, group: metadata.labels?.['scheduling.x-k8s.io/pod-group'] }),
  // pkg/common/utils/utils.go: GetApplicationIDFromPod, GetQueueNameFromPod,
  // GetTaskGroupFromPodSpec; pkg/cache: GetTaskGroupsFromAnnotation
  yunikorn: ({ metadata: { labels = {}, annotations = {} }, spec }) => ({
    schedulerName: spec.schedulerName,
    application: labels['yunikorn.apache.org/app-id'] ?? annotations['yunikorn.apache.org/app-id'] ?? labels.applicationId
      ?? labels['spark-app-selector'],
    queue: labels['yunikorn.apache.org/queue'] ?? annotations['yunikorn.apache.org/queue'] ?? labels.queue,
    taskGroup: annotations['yunikorn.apache.org/task-group-name'],
    taskGroups: annotations['yunikorn.apache.org/task-groups'] && JSON.parse(annotations['yunikorn.apache.org/task-groups']),
  }),
};
