import { DRIVER_CONTAINER, EXECUTOR_CONTAINER, LABEL_ATTEMPT, LABEL_SPARK_EXECUTOR_ID, LABEL_SPARK_ROLE } from '../../api/labels';
import type { KubeObject } from '../../kube/objects';
import { podState, viewOf } from '../../model/pod-view';
import { timeIn } from '../../model/scheduled-spark-application';
import type { PodRow } from '../wire';

/** Fields of a pod that are read here. */
interface RawPod extends KubeObject {
  readonly spec?: {
    readonly containers?: readonly { readonly name: string }[];
    readonly initContainers?: readonly { readonly name: string }[];
  };
  readonly status?: {
    readonly containerStatuses?: readonly {
      readonly name: string; readonly state?: {
        readonly running?: { readonly startedAt?: string };
      };
    }[];
  };
}

/** Converts the pod of a driver or an executor to its row. */
export function podRow(pod: KubeObject): PodRow {
  const view = viewOf(pod);
  const { metadata, spec, status } = pod as RawPod;
  const labels = metadata.labels ?? {};
  const role = labels[LABEL_SPARK_ROLE] === 'executor' ? 'executor' : 'driver';
  const main = role === 'driver' ? DRIVER_CONTAINER : EXECUTOR_CONTAINER;
  const names = [...spec?.containers ?? [], ...spec?.initContainers ?? []].map(({ name }) => name);
  const statuses = status?.containerStatuses ?? [];
  const running = (statuses.find(({ name }) => name === main) ?? statuses[0])?.state?.running;
  const reason = view.obstacle
    ? [view.obstacle.reason, view.obstacle.message].filter(Boolean).join(': ')
    : view.reason ?? view.terminated?.reason;
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    role,
    state: podState(view),
    containers: names.includes(main) ? [main, ...names.filter((name) => name !== main)] : names,
    ...definedField('executor', labels[LABEL_SPARK_EXECUTOR_ID]),
    ...definedField('attempt', labels[LABEL_ATTEMPT]),
    ...definedField('node', view.nodeName),
    ...definedField('created', timeIn(metadata.creationTimestamp)),
    ...definedField('started', timeIn(view.terminated?.startedAt) ?? timeIn(running?.startedAt)),
    ...definedField('ended', timeIn(view.terminated?.finishedAt)),
    ...definedField('exitCode', view.terminated?.exitCode),
    ...definedField('reason', reason),
  };
}

function definedField<K extends keyof PodRow>(name: K, value: PodRow[K] | undefined): Partial<Pick<PodRow, K>> {
  return value === undefined ? {} : { [name]: value } as Pick<PodRow, K>;
}
