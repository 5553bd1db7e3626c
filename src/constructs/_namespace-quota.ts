import { ApiObject, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { wrongNumber } from '../props/_check';
import { found } from '../rules/names';
import { parseQuantity } from '../rules/quantity';
import { coresQuantity, sizeQuantity, wrongCores, wrongKibibytes } from './_quantity';
import type { JobNamespaceContainerLimits, JobNamespaceQuota } from './job-namespace-quota';
import { SPARK_APPLICATION } from '../api/spark-application';
import { readQuota, type ResourceQuota } from '../plan/quota/resource-quota';
import type { Problem } from '../model/problem';

/**
 * Returns the problems of the quota.
 * @internal
 */
export function quotaViolations(quota: JobNamespaceQuota = {}, limits: JobNamespaceContainerLimits = {}): Problem[] {
  const { defaultCpu = DEFAULT_CPU, defaultMemory = DEFAULT_MEMORY, maxCpu, maxMemory } = limits;
  return [...othersViolations(quota, limits), ...found([
    wrongCores('quota.cpu', quota.cpu),
    ...(['pods', 'applications', 'gpus'] as const).map((count) => wrongNumber(`quota.${count}`, quota[count], 0)),
    ...(['memory', 'storage'] as const).map((size) => wrongKibibytes(`quota.${size}`, quota[size])),
    ...(['defaultCpu', 'maxCpu'] as const).map((cores) => wrongCores(`containerLimits.${cores}`, limits[cores])),
    ...(['defaultMemory', 'maxMemory'] as const).map((size) => wrongKibibytes(`containerLimits.${size}`, limits[size])),
    maxCpu !== undefined && defaultCpu > maxCpu ? {
      path: 'containerLimits.maxCpu', value: maxCpu,
      reason: `is less than defaultCpu: ${defaultCpu}, so the API server would reject it`,
    } : undefined,
    maxMemory && defaultMemory.toKibibytes() > maxMemory.toKibibytes()
      ? {
        path: 'containerLimits.maxMemory', value: sizeQuantity(maxMemory),
        reason: `is less than defaultMemory: ${sizeQuantity(defaultMemory)}, so the API server would reject it`,
      } : undefined,
  ])];
}

/** Resources without a group that a quota limits. */
const COUNTED = [
  ...['cpu', 'memory', 'ephemeral-storage'].flatMap((resource) => [resource, `requests.${resource}`, `limits.${resource}`]),
  'requests.storage', 'pods', 'services', 'services.nodeports', 'services.loadbalancers', 'replicationcontrollers',
  'resourcequotas', 'secrets', 'configmaps', 'persistentvolumeclaims',
];
const RESOURCE = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?\/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$|^(requests\.)?hugepages-[1-9][0-9]*[KMG]i$/;

/**
 * Returns entries of `others` that the API server would reject, and a quota that would reject all
 * pods of Spark, because they have no CPU limit by default.
 */
function othersViolations({ others = {}, ...quota }: JobNamespaceQuota, { maxCpu }: JobNamespaceContainerLimits): Problem[] {
  const limited = hardLimits(quota);
  return Object.entries(others).flatMap(([resource, value]) => {
    const wrong = (reason: string) => [{ path: `quota.others[${resource}]`, value, reason }];
    if (!COUNTED.includes(resource) && !RESOURCE.test(resource)) {
      return wrong('is not a resource of a quota, such as services, count/services or requests.amd.com/gpu');
    }
    if ((parseQuantity(value) ?? -1n) < 0n) return wrong('is not a quantity, such as 10, 500m or 64Gi');
    if (limited[resource] !== undefined) return wrong('is limited by another prop of quota; leave one of them out');
    if (resource === 'limits.cpu' && maxCpu === undefined) {
      return wrong(
        'rejects all pods of Spark, because they have no CPU limit by default; set containerLimits.maxCpu, which becomes the limit of containers',
      );
    }
    return [];
  });
}

/** Resources that every pod must request when a quota limits them. */
const ASKED_OF_PODS = ['cpu', 'requests.cpu', 'limits.cpu', 'memory', 'requests.memory', 'limits.memory'];

const DEFAULT_CPU = 0.1;
const DEFAULT_MEMORY = Size.mebibytes(512);

/**
 * Adds the ResourceQuota of a namespace, and a LimitRange with defaults: the quota rejects pods
 * without requests.
 * @internal
 */
export function bound(
  scope: Construct, namespace: string, quota: JobNamespaceQuota | undefined, limits: JobNamespaceContainerLimits | undefined,
): void {
  const hard = quota && hardLimits(quota);
  if (hard && Object.keys(hard).length > 0) {
    new ApiObject(scope, 'Quota', { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'spark', namespace }, spec: { hard } });
  }
  if (!limits && !ASKED_OF_PODS.some((resource) => hard?.[resource] !== undefined)) return;
  const { defaultCpu = DEFAULT_CPU, defaultMemory = DEFAULT_MEMORY, maxCpu, maxMemory } = limits ?? {};
  const most = { ...(maxCpu !== undefined && { cpu: coresQuantity(maxCpu) }), ...(maxMemory && { memory: sizeQuantity(maxMemory) }) };
  const container = {
    type: 'Container',
    default: { memory: sizeQuantity(defaultMemory) },
    defaultRequest: { cpu: coresQuantity(defaultCpu), memory: sizeQuantity(defaultMemory) },
    ...(Object.keys(most).length > 0 && { max: most }),
  };
  new ApiObject(scope, 'ContainerLimits', {
    apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'spark', namespace }, spec: { limits: [container] },
  });
}

/**
 * Returns the quota as Kubernetes has it when nothing runs.
 * @internal
 */
export function quotaOf(namespace: string, quota: JobNamespaceQuota): ResourceQuota {
  return readQuota({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'spark', namespace }, spec: { hard: hardLimits(quota) } } as never);
}

function hardLimits({ cpu, memory, pods, applications, gpus, storage, others }: JobNamespaceQuota): { [resource: string]: string } {
  const hard = {
    'requests.cpu': cpu === undefined ? undefined : coresQuantity(cpu),
    'requests.memory': memory && sizeQuantity(memory),
    'limits.memory': memory && sizeQuantity(memory),
    'pods': pods?.toString(),
    [`count/${SPARK_APPLICATION.plural}.${SPARK_APPLICATION.group}`]: applications?.toString(),
    'requests.nvidia.com/gpu': gpus?.toString(),
    'requests.storage': storage && sizeQuantity(storage),
    ...others,
  };
  return Object.fromEntries(Object.entries(hard).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
