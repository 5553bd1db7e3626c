import type { PartialSpec } from './layer';

/** Where something is written: the names of fields, of keys of a map, or of an entry of a list. */
export type Path = readonly string[];

/** One of several places where the same can be said. */
export interface Place {
  /** What is said there, such as `driver.memory`. */
  readonly setting: string;
  readonly path: Path;
  /** The place with the higher rank counts (docs/precedence.md). */
  readonly rank: number;
  /** It says the same about driver and executors, who are settings of their own. */
  readonly shared?: true;
}

export const ROLES = ['driver', 'executor'] as const;
export type Role = (typeof ROLES)[number];

/** Fields of a role and the Spark properties that they become. */
const OF_ROLE: Readonly<Record<string, (role: Role) => string>> = {
  cores: (role) => `spark.${role}.cores`,
  coreRequest: (role) => `spark.kubernetes.${role}.request.cores`,
  coreLimit: (role) => `spark.kubernetes.${role}.limit.cores`,
  memory: (role) => `spark.${role}.memory`,
  memoryOverhead: (role) => `spark.${role}.memoryOverhead`,
  javaOptions: (role) => `spark.${role}.extraJavaOptions`,
  schedulerName: (role) => `spark.kubernetes.${role}.scheduler.name`,
};

/** Other fields that win over the Spark property that they become. */
const FIELDS: readonly (readonly [path: Path, property: string])[] = [
  [['executor', 'instances'], 'spark.executor.instances'],
  [['executor', 'deleteOnTermination'], 'spark.kubernetes.executor.deleteOnTermination'],
  [['driver', 'podName'], 'spark.kubernetes.driver.pod.name'],
  [['driver', 'kubernetesMaster'], 'spark.kubernetes.driver.master'],
  [['deps', 'jars'], 'spark.jars'],
  [['deps', 'files'], 'spark.files'],
  [['deps', 'pyFiles'], 'spark.submit.pyFiles'],
  [['deps', 'archives'], 'spark.archives'],
  [['deps', 'packages'], 'spark.jars.packages'],
  [['deps', 'excludePackages'], 'spark.jars.excludes'],
  [['deps', 'repositories'], 'spark.jars.repositories'],
  ...['enabled', 'initialExecutors', 'minExecutors', 'maxExecutors'].map((field) => [['dynamicAllocation', field], `spark.dynamicAllocation.${field}`] as const),
  [['dynamicAllocation', 'shuffleTrackingEnabled'], 'spark.dynamicAllocation.shuffleTracking.enabled'],
  [['dynamicAllocation', 'shuffleTrackingTimeout'], 'spark.dynamicAllocation.shuffleTracking.timeout'],
];

/** Fields over which the Spark property wins. */
const WEAK_FIELDS: readonly (readonly [path: Path, property: string])[] = [
  [['imagePullPolicy'], 'spark.kubernetes.container.image.pullPolicy'],
  [['imagePullSecrets'], 'spark.kubernetes.container.image.pullSecrets'],
  [['memoryOverheadFactor'], 'spark.kubernetes.memoryOverheadFactor'],
  [['pythonVersion'], 'spark.kubernetes.pyspark.pythonVersion'],
];

/** All that a part of a specification says that could be said elsewhere, too. */
export function placesIn(spec: PartialSpec): Place[] {
  const fields: Place[] = [
    ...ROLES.flatMap((role): Place[] => [
      ...Object.keys(OF_ROLE).map((field) => ({ setting: `${role}.${field}`, path: [role, field], rank: 2 })),
      { setting: `${role}.image`, path: [role, 'image'], rank: 4 },
      { setting: `${role}.image`, path: ['image'], rank: 3, shared: true },
      { setting: `${role}.schedulerName`, path: ['batchScheduler'], rank: 3, shared: true },
    ]),
    ...FIELDS.map(([path, property]) => ({ setting: property, path, rank: 2 })),
    ...WEAK_FIELDS.map(([path, property]) => ({ setting: property, path, rank: 0 })),
  ];
  return [
    ...Object.keys(mapAt(spec, ['sparkConf'])).flatMap(placesOfProperty),
    ...fields.filter(({ path }) => isSet(valueAt(spec, path))),
    ...entries(spec, ['hadoopConf'], 'hadoopConf', 2),
    ...ROLES.flatMap((role) => [
      ...['labels', 'annotations'].flatMap((map) => entries(spec, [role, map], `${role}.${map}`, 2)),
      ...entries(spec, ['nodeSelector'], `${role}.nodeSelector`, 2, true),
      ...entries(spec, [role, 'nodeSelector'], `${role}.nodeSelector`, 3),
      ...entries(spec, [role, 'envVars'], `${role}.env`, 2),
      ...entries(spec, [role, 'envSecretKeyRefs'], `${role}.env`, 3),
      ...listAt(spec, [role, 'env']).map(({ name }): Place => ({ setting: `${role}.env[${name}]`, path: [role, 'env', name], rank: 4 })),
    ]),
  ];
}

/** What a Spark property says in the words of the fields. */
function placesOfProperty(key: string): Place[] {
  const path = ['sparkConf', key];
  const found = [
    ...ROLES.flatMap((role): Place[] => [
      ...Object.entries(OF_ROLE).filter(([, property]) => property(role) === key).map(([field]) => ({ setting: `${role}.${field}`, path, rank: 1 })),
      ...(key === `spark.kubernetes.${role}.container.image` ? [{ setting: `${role}.image`, path, rank: 2 }] : []),
      ...(key === 'spark.kubernetes.container.image' ? [{ setting: `${role}.image`, path, rank: 1, shared: true } as const] : []),
      ...(key === 'spark.kubernetes.scheduler.name' ? [{ setting: `${role}.schedulerName`, path, rank: 0, shared: true } as const] : []),
      ...PREFIXES.flatMap(([prefix, setting]) => (key.startsWith(prefix(role)) ? [{ setting: `${role}.${setting}[${key.slice(prefix(role).length)}]`, path, rank: 1 }] : [])),
      ...(key.startsWith(NODE_SELECTOR) ? [{ setting: `${role}.nodeSelector[${key.slice(NODE_SELECTOR.length)}]`, path, rank: 1, shared: true } as const] : []),
    ]),
    ...(key.startsWith(HADOOP) ? [{ setting: `hadoopConf[${key.slice(HADOOP.length)}]`, path, rank: 1 }] : []),
  ];
  return found.length > 0 ? found : [{ setting: key, path, rank: 1 }];
}

const HADOOP = 'spark.hadoop.';
const NODE_SELECTOR = 'spark.kubernetes.node.selector.';
const PREFIXES: readonly (readonly [prefix: (role: Role) => string, setting: string])[] = [
  [(role) => `spark.kubernetes.${role}.label.`, 'labels'],
  [(role) => `spark.kubernetes.${role}.annotation.`, 'annotations'],
  [(role) => `spark.kubernetes.${role}.node.selector.`, 'nodeSelector'],
  [(role) => `spark.kubernetes.${role}.secretKeyRef.`, 'env'],
  [(role) => (role === 'driver' ? 'spark.kubernetes.driverEnv.' : 'spark.executorEnv.'), 'env'],
];

function entries(spec: PartialSpec, path: Path, setting: string, rank: number, shared?: true): Place[] {
  return Object.keys(mapAt(spec, path)).map((key) => ({ setting: `${setting}[${key}]`, path: [...path, key], rank, shared }));
}

/** Go and Helm write an empty text for a field that is not set. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function valueAt(value: unknown, [name, ...others]: Path): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return valueAt(value.find((entry) => entry?.name === name), others);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? valueAt((value as Record<string, unknown>)[name], others) : undefined;
}

export function mapAt(spec: PartialSpec, path: Path): Readonly<Record<string, unknown>> {
  return (valueAt(spec, path) ?? {}) as Readonly<Record<string, unknown>>;
}

function listAt(spec: PartialSpec, path: Path): readonly { readonly name: string }[] {
  return (valueAt(spec, path) ?? []) as readonly { readonly name: string }[];
}

export function without(spec: PartialSpec, paths: readonly Path[]): PartialSpec {
  return paths.reduce((rest, path) => removed(rest, path) as PartialSpec, spec);
}

function removed(value: unknown, [name, ...others]: Path): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry?.name !== name);
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(fields).flatMap(([key, item]): [string, unknown][] => {
    if (key !== name) return [[key, item]];
    return others.length === 0 ? [] : [[key, removed(item, others)]];
  }));
}
