import type { ObjectMeta } from '../../kube/objects';
import type { Container, PodSpec } from '../../model/kubernetes-objects';
import { SubmissionError } from '../errors';
import type { DriverConf } from './driver-conf';
import type { SparkPod } from './feature-step';

/** A template without `null`. */
interface Template {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: PodSpec;
}

const FILE = 'spark.kubernetes.driver.podTemplateFile';
const FIELD = 'spec.driver.template';

/**
 * Returns the pod with which the steps start: the driver's template, or an empty one. Spark's
 * container is the only one with the user's name for it, otherwise the first
 * (KubernetesDriverBuilder, KubernetesUtils.selectSparkContainer).
 *
 * @throws SubmissionError if the template is a file or malformed
 */
export function initialPod({ conf, driverTemplate, namespace }: DriverConf): SparkPod {
  if (driverTemplate === undefined) {
    if (conf.has(FILE)) {
      throw conf.wrong(FILE, 'names a file, which the operator does not read', `remove it and write the template itself into ${FIELD}`);
    }
    return startingFrom({}, {}, [], namespace);
  }
  const { metadata = {}, spec } = asWritten(driverTemplate) as Template;
  if (spec === undefined) {
    throw wrong('spec', 'is missing, but Spark requires it', 'write it, at least as {}');
  }
  refuseWrongShape({ metadata, spec });
  const name = conf.text('spark.kubernetes.driver.podTemplateContainerName');
  const { containers = [], ...rest } = spec;
  const named = containers.filter(container => container.name === name);
  const main = name !== undefined && named.length === 1 ? named[0] : containers[0];
  const { container, pod } = startingFrom(metadata, rest, containers.filter(other => other !== main), namespace);
  return { pod, container: main ?? container };
}

function startingFrom(
  metadata: Partial<ObjectMeta>, spec: Omit<PodSpec, 'containers'>, containers: Container[], namespace: string,
): SparkPod {
  return {
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      // The Pod is not created in the template's namespace.
      metadata: { ...metadata, name: metadata.name ?? '', ...(metadata.namespace === undefined ? {} : { namespace }) },
      spec: { ...spec, containers },
    },
    container: {},
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

/** Fields that must be a list of objects, a list, or an object for the steps. */
const SHAPE: { readonly [path: string]: 'objects' | 'list' | 'object' } = {
  'metadata': 'object',
  'metadata.labels': 'object',
  'metadata.annotations': 'object',
  'spec': 'object',
  'spec.containers': 'objects',
  'spec.imagePullSecrets': 'objects',
  'spec.nodeSelector': 'object',
  'spec.volumes': 'objects',
};
const CONTAINER_SHAPE: typeof SHAPE = {
  'args': 'list',
  'env': 'objects',
  'ports': 'objects',
  'resources': 'object',
  'resources.limits': 'object',
  'resources.requests': 'object',
  'securityContext': 'object',
  'volumeMounts': 'objects',
};

/** Rejects malformed templates: a template in a manifest can be any JSON. */
function refuseWrongShape(template: Template): void {
  check(template, SHAPE, '');
  template.spec?.containers?.forEach((container, index) => check(container, CONTAINER_SHAPE, `spec.containers[${index}].`));
}

function check(object: object, shape: typeof SHAPE, path: string): void {
  for (const [field, expected] of Object.entries(shape)) {
    const value = field.split('.').reduce<unknown>((parent, name) => (parent as { [name: string]: unknown } | undefined)?.[name], object);
    if (value !== undefined && expected === 'object' && !isObject(value)) {
      throw wrong(path + field, 'is not an object', 'write names and values');
    }
    if (value !== undefined && expected !== 'object' && !(Array.isArray(value) && (expected === 'list' || value.every(isObject)))) {
      throw wrong(path + field, expected === 'list' ? 'is not a list' : 'is not a list of objects', 'write a list');
    }
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(path: string, reason: string, remedy: string): SubmissionError {
  return new SubmissionError({ field: `${FIELD}.${path}`, reason, remedy });
}
