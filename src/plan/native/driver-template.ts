import type { ObjectMeta } from '../../kube/objects';
import type { PodSpec } from '../../model/kubernetes-objects';
import type { DriverConf } from './driver-conf';
import type { SparkPod } from './feature-step';

/** A template without `null`. */
interface Template {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: PodSpec;
}

/**
 * Returns the pod with which the steps start: the driver's template, or an empty one. Spark's
 * container is the only one with the user's name for it, otherwise the first
 * (KubernetesDriverBuilder, KubernetesUtils.selectSparkContainer).
 */
export function initialPod({ conf, driverTemplate, namespace }: DriverConf): SparkPod {
  const { metadata = {}, spec: { containers = [], ...rest } = {} } = asWritten(driverTemplate ?? {}) as Template;
  const name = conf.text('spark.kubernetes.driver.podTemplateContainerName');
  const named = containers.filter(container => container.name === name);
  const main = name !== undefined && named.length === 1 ? named[0] : containers[0];
  return {
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      // The Pod is not created in the template's namespace.
      metadata: { ...metadata, name: metadata.name ?? '', ...(metadata.namespace === undefined ? {} : { namespace }) },
      spec: { ...rest, containers: containers.filter(other => other !== main) },
    },
    container: main ?? {},
  };
}

/**
 * Fields with maps, where an empty object has no meaning. In other fields it has one, as in
 * `emptyDir: {}`.
 */
const MAPS = new Set(['annotations', 'labels', 'limits', 'matchLabels', 'nodeSelector', 'overhead', 'requests', 'volumeAttributes']);
/** Those of them with quantities. */
const QUANTITY_MAPS = new Set(['limits', 'overhead', 'requests']);
/** Fields with a quantity. */
const QUANTITIES = new Set(['divisor', 'sizeLimit']);

/**
 * Returns the template as Spark's client library writes it: without null, empty lists and empty
 * maps, and with quantities as strings.
 */
function asWritten(value: unknown, key?: string): unknown {
  if (Array.isArray(value)) {
    return value.map(item => asWritten(item));
  }
  if (typeof value === 'number' && key !== undefined && QUANTITIES.has(key)) {
    return String(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const ofQuantities = key !== undefined && QUANTITY_MAPS.has(key);
  return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => {
    const written = ofQuantities && typeof member === 'number' ? String(member) : asWritten(member, name);
    return isNothing(name, written) ? [] : [[name, written]];
  }));
}

function isNothing(name: string, value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0 && (Array.isArray(value) || MAPS.has(name)));
}
