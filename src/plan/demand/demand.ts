import type { SparkApplicationSpec } from '../../api/spark-application';
import type { Container, PodSpec, Volume } from '../../model/kubernetes-objects';
import { sparkContainer } from '../pods/container';
import { memoryQuantity } from '../pods/memory-limit';
import { parseQuantity } from '../pods/quantity';
import { containerMemory } from '../container-memory';
import { ConfReader } from '../native/conf-reader';
import { quantity } from '../native/quantity';
import type { Role } from '../properties/role';
import { sparkProperties, templateContainerName, type SubmissionProperties, type SubmittedApplication } from '../properties/properties';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import { parseSparkVersion, type SparkVersion } from '../versions';

/** A requested value and its field. */
export interface Asked<T> {
  readonly field: string;
  readonly value: T;
}

/** Demand of an application for everything that can have limits. */
export interface Demand {
  /** Numbers of executors; `undefined` is unlimited. */
  readonly executors: readonly Asked<number | undefined>[];
  readonly driver: PodDemand;
  readonly executor: PodDemand;
  readonly images: readonly Asked<string>[];
  /**
   * Properties whose values only the driver knows, such as `${env:A}`, so the demand is unknown.
   */
  readonly unknown: readonly Asked<string>[];
}

/** Demand of one pod. */
export interface PodDemand {
  /** CPU in billionths of a core. */
  readonly cores: readonly (Asked<string> & { readonly amount: bigint })[];
  /** Memory of Spark's container in MiB. */
  readonly memory: readonly Asked<number>[];
  readonly serviceAccount: Asked<string>;
}

const MEBIBYTE = 2n ** 20n * 10n ** 9n;

/**
 * Returns the demand of an application, by the Spark properties of its submission. So it does not
 * matter which field or property sets a value.
 *
 * @throws SubmissionError if the application cannot be submitted, or an amount is unreadable: it
 * must not be treated as 0
 */
export function demandOf(application: SubmittedApplication): Demand {
  const submission = sparkProperties(application, { attempt: 1, submissionID: '' });
  const version = parseSparkVersion(application.spec.sparkVersion);
  const source: Source = { ...submission, spec: application.spec, conf: new ConfReader(submission.properties, version), version };
  const unknown = knownInDriver(source.properties);
  if (unknown.length > 0) return { ...NOTHING, unknown };
  return {
    executors: executorsOf(source),
    driver: podDemand(source, 'driver'),
    executor: podDemand(source, 'executor'),
    images: [...imagesOf(source, 'driver'), ...imagesOf(source, 'executor'), ...imagesInVolumes(source.spec.volumes, 'spec.volumes')],
    unknown: [],
  };
}

/**
 * Returns the properties that are compared with limits and whose values only the driver knows, such
 * as `${env:A}`.
 */
export function knownInDriver(properties: ReadonlySparkProperties): Asked<string>[] {
  return unknownOf(properties, isLimited);
}

/** Returns the same, and other amounts of pods, such as GPUs, which have no limits. */
export function amountsKnownInDriver(properties: ReadonlySparkProperties): Asked<string>[] {
  return unknownOf(properties, (key) => isLimited(key) || DEVICE.test(key));
}

function unknownOf(properties: ReadonlySparkProperties, isAsked: (key: string) => boolean): Asked<string>[] {
  return properties.entries().filter(([key, value]) => value.includes('${') && isAsked(key)).map(([key, value]) => ({
    field: properties.fieldOf(key), value,
  }));
}

/** Properties with the number and the vendor of devices such as GPUs. */
const DEVICE = /^spark\.(?:driver|executor)\.resource\.[^.]+\.(?:amount|vendor)$/;

/** Properties that are compared with limits. */
const LIMITED = /^spark\.(?:yarn\.)?(?:driver|executor)\.(?:cores|memory|memoryOverhead|memoryOverheadFactor|minMemoryOverhead|instances|pyspark\.memory)$|^spark\.memory\.offHeap\.|^spark\.dynamicAllocation\.(?:enabled|\w+Executors)$|^spark\.kubernetes\.(?:(?:driver|executor)\.)?(?:container\.image$|request\.cores$|limit\.cores$|memoryOverheadFactor$)|\.serviceAccountName$/;

/** Whether a property is compared with limits. */
export function isLimited(key: string): boolean {
  return LIMITED.test(key);
}

const NO_POD: PodDemand = { cores: [], memory: [], serviceAccount: { field: '', value: '' } };
const NOTHING: Demand = { executors: [], driver: NO_POD, executor: NO_POD, images: [], unknown: [] };

interface Source extends SubmissionProperties {
  readonly spec: SparkApplicationSpec;
  readonly conf: ConfReader;
  readonly version: SparkVersion;
}

/**
 * Returns the numbers of executors. Spark starts with the maximum of the initial numbers, whatever
 * the maximum of dynamic allocation is (Utils.getDynamicAllocationInitialExecutors).
 */
function executorsOf({ conf, properties }: Source): Asked<number | undefined>[] {
  const numbers = (keys: readonly string[]) => keys.filter((key) => properties.has(key)).map((key) => ({
    field: properties.fieldOf(key), value: conf.integer(key),
  }));
  const instances = numbers(['spark.executor.instances']);
  if (!conf.boolean(['spark.dynamicAllocation.enabled'], false)) return instances;
  const most = numbers(['spark.dynamicAllocation.maxExecutors']);
  return [
    ...(most.length > 0 ? most : [{ field: 'spec.dynamicAllocation.maxExecutors', value: undefined }]),
    ...numbers(['spark.dynamicAllocation.initialExecutors', 'spark.dynamicAllocation.minExecutors']), ...instances,
  ];
}

function podDemand(source: Source, role: Role): PodDemand {
  const { properties, spec } = source;
  const { memoryLimit } = spec[role];
  const limit = memoryLimit ? parseQuantity(memoryQuantity(memoryLimit, `spec.${role}.memoryLimit`)) : undefined;
  return {
    cores: coresOf(source, role).map(({ field, value }) => ({ field, value, amount: parseQuantity(quantity(value.trim(), field))! })),
    memory: [
      { field: properties.fieldOf(`spark.${role}.memory`), value: containerMemory(source, role) },
      ...(limit === undefined ? [] : [{ field: `spec.${role}.memoryLimit`, value: Number((limit + MEBIBYTE - 1n) / MEBIBYTE) }]),
    ],
    serviceAccount: serviceAccountOf(source, role),
  };
}

/**
 * Returns CPU requests and limits. Spark ignores a template's resources except for a CPU limit, if
 * no property sets one (BasicDriverFeatureStep, BasicExecutorFeatureStep).
 */
function coresOf({ properties, spec }: Source, role: Role): Asked<string>[] {
  const limit = `spark.kubernetes.${role}.limit.cores`;
  const keys = [`spark.${role}.cores`, `spark.kubernetes.${role}.request.cores`, limit].filter((key) => properties.has(key));
  const container = sparkContainer(spec[role].template?.spec, { container: templateContainerName(properties, role) });
  const inTemplate = properties.has(limit) ? undefined : container?.resources?.limits?.cpu;
  return [
    ...keys.map((key) => ({ field: properties.fieldOf(key), value: properties.get(key)! })),
    ...(inTemplate === undefined || inTemplate === null ? [] : [
      { field: `spec.${role}.template.spec.containers[${container!.name}].resources.limits[cpu]`, value: String(inTemplate) },
    ]),
  ];
}

/**
 * Returns the service account. Executors use the driver's by default
 * (ExecutorKubernetesCredentialsFeatureStep).
 */
function serviceAccountOf(source: Source, role: Role): Asked<string> {
  const { properties, spec } = source;
  const key = `spark.kubernetes.authenticate.${role}.serviceAccountName`;
  const given = properties.get(key);
  if (given) return { field: properties.fieldOf(key), value: given };
  const template = spec[role].template?.spec;
  const inTemplate = template?.serviceAccountName || template?.serviceAccount;
  if (inTemplate) return { field: `spec.${role}.template.spec.serviceAccountName`, value: inTemplate };
  return role === 'executor' ? serviceAccountOf(source, 'driver') : { field: 'spec.driver.serviceAccount', value: 'default' };
}

function imagesOf({ properties, spec, version }: Source, role: Role): Asked<string>[] {
  const key = [`spark.kubernetes.${role}.container.image`, 'spark.kubernetes.container.image'].find((name) => properties.get(name));
  const own = key === undefined ? [] : [{
    field: properties.fieldOf(key), value: properties.get(key)!.replaceAll(
      '{{SPARK_VERSION}}', () => (version.features.versionInImage ? version.text : '{{SPARK_VERSION}}'),
    ),
  }];
  const template: PodSpec | null | undefined = spec[role].template?.spec;
  const path = `spec.${role}`;
  // Spark replaces the image of its own container in the template.
  const main = sparkContainer(template, { container: templateContainerName(properties, role) });
  return [
    ...own,
    ...imagesIn(spec[role].sidecars, `${path}.sidecars`),
    ...imagesIn(spec[role].initContainers, `${path}.initContainers`),
    ...imagesIn(template?.containers?.filter((container) => container !== main), `${path}.template.spec.containers`),
    ...imagesIn(template?.initContainers, `${path}.template.spec.initContainers`),
    ...imagesInVolumes(template?.volumes, `${path}.template.spec.volumes`),
  ];
}

function imagesIn(containers: readonly Container[] | null | undefined, path: string): Asked<string>[] {
  return (containers ?? []).flatMap(({ name, image }) => (image ? [{ field: `${path}[${name}].image`, value: image }] : []));
}

/** Returns images of volumes: a volume can have the content of an image. */
function imagesInVolumes(volumes: readonly Volume[] | null | undefined, path: string): Asked<string>[] {
  return (volumes ?? []).flatMap(({ name, image }) => (image?.reference ? [
    { field: `${path}[${name}].image.reference`, value: image.reference },
  ] : []));
}
