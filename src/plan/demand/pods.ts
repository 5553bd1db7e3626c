import { containerMemory } from '../container-memory';
import type { Container, PodSpec } from '../../model/kubernetes-objects';
import { sparkContainer } from '../pods/container';
import { memoryQuantity } from '../pods/memory-limit';
import { ConfReader } from '../native/conf-reader';
import type { Role } from '../properties/role';
import type { SparkApplicationSpec } from '../../api/spark-application';
import type { SubmissionProperties } from '../properties/properties';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import type { SparkVersion } from '../versions';

/** Parts of a submission from which its pods follow. */
export interface PodSource extends Pick<SubmissionProperties, 'properties' | 'application'> {
  readonly spec: SparkApplicationSpec;
  readonly version: SparkVersion;
}

/**
 * Returns the pod that Spark builds from a template, with its amounts and placement
 * (BasicDriverFeatureStep, BasicExecutorFeatureStep). Its memory follows Spark's rules: heap,
 * overhead and off-heap memory.
 *
 * @param container name of Spark's container
 * @throws SubmissionError if an amount is unreadable
 */
export function sparkPod(source: PodSource, role: Role, template: PodSpec | null | undefined, container: string): PodSpec {
  const { properties, application, version } = source;
  const conf = new ConfReader(properties, version);
  const containers = template?.containers ?? [];
  const found = containers.some(({ name }) => name === container) ? containers : [...containers, { name: container }];
  const main = sparkContainer({ ...template, containers: found }, { container })!;
  const { memoryLimit } = source.spec[role];
  const memory = `${containerMemory({ conf, application, version }, role)}Mi`;
  const coreLimit = conf.text(`spark.kubernetes.${role}.limit.cores`);
  const changed: Container = {
    ...main,
    resources: {
      ...main.resources,
      requests: {
        ...main.resources?.requests, cpu: conf.text(`spark.kubernetes.${role}.request.cores`, `spark.${role}.cores`) ?? '1', memory,
      },
      limits: {
        ...main.resources?.limits,
        ...(coreLimit !== undefined && { cpu: coreLimit }),
        // The webhook sets the limit of executors.
        memory: memoryLimit ? memoryQuantity(memoryLimit, `spec.${role}.memoryLimit`) : memory,
        ...devices(properties, role),
      },
    },
  };
  const nodeSelector = {
    ...template?.nodeSelector, ...Object.fromEntries(NODE_SELECTORS(role).flatMap((prefix) => properties.withPrefix(prefix))),
  };
  return {
    ...template,
    containers: found.map((other) => (other === main ? changed : other)),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
  };
}

const NODE_SELECTORS = (role: Role) => ['spark.kubernetes.node.selector.', `spark.kubernetes.${role}.node.selector.`];

/**
 * Returns devices such as GPUs, by the names that device plug-ins register in Kubernetes
 * (KubernetesUtils.buildResourcesQuantities).
 */
function devices(properties: ReadonlySparkProperties, role: Role): { readonly [name: string]: string } {
  const prefix = `spark.${role}.resource.`;
  return Object.fromEntries(properties.withPrefix(prefix).flatMap(([key, vendor]): [string, string][] => {
    const name = /^([^.]+)\.vendor$/.exec(key)?.[1];
    const amount = name === undefined ? undefined : properties.get(`${prefix}${name}.amount`)?.trim();
    return amount === undefined || !/^[1-9][0-9]*$/.test(amount) ? [] : [[`${vendor}/${name}`, amount]];
  }));
}

/**
 * Returns the initial number of executors and its field: the maximum of the numbers that Spark
 * reads (Utils.getDynamicAllocationInitialExecutors).
 */
export function initialExecutors(
  properties: ReadonlySparkProperties, version: SparkVersion,
): { readonly count: number; readonly field: string } {
  const conf = new ConfReader(properties, version);
  const isDynamic = conf.boolean(['spark.dynamicAllocation.enabled'], false);
  const keys = [
    'spark.executor.instances',
    ...(isDynamic ? ['spark.dynamicAllocation.initialExecutors', 'spark.dynamicAllocation.minExecutors'] : []),
  ];
  const numbers = keys.map((key) => ({ count: Math.max(conf.integer(key) ?? 0, 0), field: properties.fieldOf(key) }));
  return numbers.reduce((most, other) => (other.count > most.count ? other : most));
}
