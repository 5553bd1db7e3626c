import { DRIVER_CONTAINER, EXECUTOR_CONTAINER, LABEL_ATTEMPT, LABEL_SPARK_EXECUTOR_ID, LABEL_SPARK_ROLE } from '../../api/labels';
import { podReason } from '../../explain/pod-reason';
import type { KubeObject } from '../../kube/objects';
import { driverState, viewOf } from '../../model/pod-view';
import { timeIn } from '../../model/scheduled-spark-application';
import { quantityOf } from './quantity';
import type { PodRow, PodResources } from '../wire';

/** Amounts in the notation of Kubernetes, such as `500m` and `2Gi`. */
interface RawResources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/** Fields of a pod that are read here. */
interface RawPod extends KubeObject {
  readonly spec?: {
    readonly containers?: readonly { readonly name: string; readonly image?: string; readonly resources?: RawResources }[];
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
  const container = spec?.containers?.find(({ name }) => name === main) ?? spec?.containers?.[0];
  const names = [...spec?.containers ?? [], ...spec?.initContainers ?? []].map(({ name }) => name);
  const statuses = status?.containerStatuses ?? [];
  const running = (statuses.find(({ name }) => name === main) ?? statuses[0])?.state?.running;
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    role,
    // The phase of the pod follows a second after the end of its container.
    state: driverState(view),
    containers: names.includes(main) ? [main, ...names.filter((name) => name !== main)] : names,
    ...definedField('executor', labels[LABEL_SPARK_EXECUTOR_ID]),
    ...definedField('attempt', labels[LABEL_ATTEMPT]),
    ...definedField('node', view.nodeName),
    ...definedField('created', timeIn(metadata.creationTimestamp)),
    ...definedField('started', timeIn(view.terminated?.startedAt) ?? timeIn(running?.startedAt)),
    ...definedField('ended', timeIn(view.terminated?.finishedAt)),
    ...definedField('exitCode', view.terminated?.exitCode),
    ...definedField('image', container?.image),
    ...definedField('reason', podReason(view) || undefined),
    ...definedField('resources', resourcesOf(container?.resources)),
  };
}

function resourcesOf({ requests = {}, limits = {} }: RawResources = {}): PodResources | undefined {
  const amounts = { cpu: quantityOf(requests.cpu), cpuLimit: quantityOf(limits.cpu), memory: quantityOf(limits.memory ?? requests.memory) };
  const known = Object.entries(amounts).filter(([, amount]) => amount !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function definedField<K extends keyof PodRow>(name: K, value: PodRow[K] | undefined): Partial<Pick<PodRow, K>> {
  return value === undefined ? {} : { [name]: value } as Pick<PodRow, K>;
}
