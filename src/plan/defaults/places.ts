import { HADOOP_CONFIG, SPARK_CONFIG } from '../pods/config-directories';
import { needsEscalation } from '../pods/security-context';
import { LOCAL_DIR_PREFIX } from '../properties/local-dir-properties';
import { environmentPrefix } from '../properties/role';
import { secretVariable } from '../properties/secret-properties';
import type { PartialSpec } from './layer';

/** The path of a setting: the names of fields, of keys of a map, or of an entry of a list. */
export type Path = readonly string[];

/** One of several places for the same setting. */
export interface Place {
  /** The setting, such as `driver.memory`. */
  readonly setting: string;
  readonly path: Path;
  /** The rank: the place with the higher one takes precedence (docs/precedence.md). */
  readonly rank: number;
  /** Whether the place has other settings, too, such as the same for driver and executors. */
  readonly shared?: true;
}

export const ROLES = ['driver', 'executor'] as const;
export type Role = (typeof ROLES)[number];

/** The prefix of the properties for labels of a role's pod. */
export const LABELS = (role: Role): string => `spark.kubernetes.${role}.label.`;

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

/** The fields of dynamic allocation and the Spark properties that they become. */
export const DYNAMIC_ALLOCATION: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['enabled', 'initialExecutors', 'minExecutors', 'maxExecutors'].map((field) => [field, `spark.dynamicAllocation.${field}`]),
  ),
  shuffleTrackingEnabled: 'spark.dynamicAllocation.shuffleTracking.enabled',
  shuffleTrackingTimeout: 'spark.dynamicAllocation.shuffleTracking.timeout',
};

/** Other fields that take precedence over the Spark property that they become. */
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
  [['executor', 'terminationGracePeriodSeconds'], 'spark.kubernetes.executor.terminationGracePeriodSeconds'],
  ...Object.entries(DYNAMIC_ALLOCATION).map(([field, property]) => [['dynamicAllocation', field], property] as const),
];

/** Fields over which the Spark property takes precedence. */
const WEAK_FIELDS: readonly (readonly [path: Path, property: string])[] = [
  [['memoryOverheadFactor'], 'spark.kubernetes.memoryOverheadFactor'],
  [['imagePullPolicy'], 'spark.kubernetes.container.image.pullPolicy'],
  [['imagePullSecrets'], 'spark.kubernetes.container.image.pullSecrets'],
  [['pythonVersion'], 'spark.kubernetes.pyspark.pythonVersion'],
];

/** Returns the image that both roles share, as the image of one of them. */
function sharedImage(role: Role): Place {
  return { setting: `${role}.image`, path: ['image'], rank: 3, shared: true };
}

/** Returns the places of an image that both roles share; none if there is no such image. */
export function placesOfSharedImage({ image }: PartialSpec): Place[] {
  return isSet(image) ? ROLES.map(sharedImage) : [];
}

/** Returns all settings of a partial specification that could also be in another place. */
export function placesIn(spec: PartialSpec): Place[] {
  const fields: Place[] = [
    ...ROLES.flatMap((role): Place[] => [
      ...Object.keys(OF_ROLE).map((field) => ({ setting: `${role}.${field}`, path: [role, field], rank: 2 })),
      { setting: `${role}.image`, path: [role, 'image'], rank: 4 },
      sharedImage(role),
      { setting: `${role}.schedulerName`, path: ['batchScheduler'], rank: 3, shared: true },
      { setting: `${role}.memoryOverheadFactor`, path: ['memoryOverheadFactor'], rank: -1, shared: true },
    ]),
    ...FIELDS.map(([path, property]) => ({ setting: property, path, rank: 2 })),
    ...WEAK_FIELDS.map(([path, property]) => ({ setting: property, path, rank: 0 })),
  ];
  return [
    ...Object.keys(mapAt(spec, ['sparkConf'])).flatMap(placesOfProperty),
    ...fields.filter(({ path }) => isSet(valueAt(spec, path))),
    ...entries(spec, ['hadoopConf'], 'hadoopConf', 2),
    ...placesOfMonitoring(mapAt(spec, ['monitoring'])),
    ...ROLES.flatMap((role) => [
      ...['labels', 'annotations', 'serviceLabels', 'serviceAnnotations'].flatMap((map) => entries(spec, [role, map], `${role}.${map}`, 2)),
      ...entries(spec, ['nodeSelector'], `${role}.nodeSelector`, 2, true),
      ...entries(spec, [role, 'nodeSelector'], `${role}.nodeSelector`, 3),
      ...entries(spec, [role, 'envVars'], `${role}.env`, 2),
      ...listAt(spec, [role, 'secrets']).flatMap((secret) => placesOfSecret(role, secret)),
      ...entries(spec, [role, 'envSecretKeyRefs'], `${role}.env`, 4),
      ...listAt(spec, [role, 'env']).map(({ name }): Place => ({ setting: `${role}.env[${name}]`, path: [role, 'env', name], rank: 5 })),
      ...[SPARK_CONFIG, HADOOP_CONFIG].filter(({ field }) => isSet(spec[field]))
        .map(({ variable, field }): Place => ({ setting: `${role}.env[${variable}]`, path: [field], rank: 6, shared: true })),
      ...listAt(spec, [role, 'volumeMounts']).filter(({ name }) => name.startsWith(LOCAL_DIR_PREFIX))
        .map(({ name }): Place => ({ setting: `${role}.volumes[${name}]`, path: [role, 'volumeMounts', name], rank: 2 })),
      ...placesOfEscalation(role, mapAt(spec, [role, 'securityContext'])),
    ]),
  ];
}

/** Returns the places of a mounted Secret; variables point to some Secrets. */
function placesOfSecret(role: Role, { name, secretType }: Named): Place[] {
  const path = [role, 'secrets', name];
  const variable = secretVariable(String(secretType));
  return [
    { setting: `${role}.secrets[${name}]`, path, rank: 2 },
    ...(variable === undefined ? [] : [{ setting: `${role}.env[${variable}]`, path, rank: 3, shared: true } as const]),
  ];
}

/** Returns the places of privilege escalation, including settings that need it. */
function placesOfEscalation(role: Role, context: Readonly<Record<string, unknown>>): Place[] {
  return ['allowPrivilegeEscalation', 'privileged', 'capabilities']
    .filter((field) => (field === 'allowPrivilegeEscalation' ? isSet(context[field]) : needsEscalation({ [field]: context[field] })))
    .map((field) => ({ setting: `${role}.allowPrivilegeEscalation`, path: [role, 'securityContext', field], rank: 2 }));
}

const SCRAPED = ['scrape', 'port', 'path'].map((name) => `annotations[prometheus.io/${name}]`);

/** Returns the places of metrics of the exporter, or of Spark's own servlet. */
function placesOfMonitoring(monitoring: Readonly<Record<string, unknown>>): Place[] {
  const exposed = ROLES.filter((role) => monitoring[role === 'driver' ? 'exposeDriverMetrics' : 'exposeExecutorMetrics'] === true);
  const of = (field: string, rank: number, settings: readonly string[]) => (monitoring[field] ? settings : []).map(
    (setting): Place => ({ setting, path: ['monitoring', field], rank, shared: true }),
  );
  return [
    ...of('prometheus', 2, ['spark.metrics.namespace', 'spark.metrics.conf']),
    ...of('metricsPropertiesFile', 3, monitoring.prometheus ? ['spark.metrics.conf'] : []),
    ...of('prometheusServlet', 3, [
      ...['class', 'path'].map((name) => `spark.metrics.conf.driver.sink.prometheusServlet.${name}`),
      'spark.ui.prometheus.enabled', ...SCRAPED.map((annotation) => `driver.${annotation}`),
    ]),
    ...of('prometheus', 4, exposed.flatMap((role) => SCRAPED.map((annotation) => `${role}.${annotation}`))),
  ];
}

/** Returns what a Spark property sets, in terms of the fields. */
function placesOfProperty(key: string): Place[] {
  const path = ['sparkConf', key];
  if (!key.startsWith('spark.')) return [{ setting: key, path, rank: 1 }];
  const found = (BY_PROPERTY.get(key) ?? []).map((place): Place => ({ ...place, path }));
  for (const { prefix, setting, rank, shared } of BY_PREFIX) {
    if (key.startsWith(prefix)) found.push({ setting: `${setting}[${key.slice(prefix.length)}]`, path, rank, shared });
  }
  for (const { prefix, setting } of VOLUMES) {
    const name = key.startsWith(prefix) ? key.slice(prefix.length).split('.', 2)[1] : undefined;
    if (name?.startsWith(LOCAL_DIR_PREFIX)) found.push({ setting: `${setting}[${name}]`, path, rank: 1 });
  }
  // A property for both roles that is not a setting of each is also a setting of its own.
  return found.length > 0 && !WEAK_PROPERTIES.has(key) ? found : [...found, { setting: key, path, rank: 1 }];
}

/**
 * Prefixes of the properties of volumes for Spark's temporary files:
 * `spark.kubernetes.driver.volumes.<type>.<name>.…`.
 */
const VOLUMES = ROLES.map((role) => ({ prefix: `spark.kubernetes.${role}.volumes.`, setting: `${role}.volumes` }));

/** Properties of a role with another name than the role's field. */
const ONLY_PROPERTIES: typeof OF_ROLE = {
  image: (role) => `spark.kubernetes.${role}.container.image`,
  memoryOverheadFactor: (role) => `spark.${role}.memoryOverheadFactor`,
  allowPrivilegeEscalation: (role) => `spark.kubernetes.${role}.securityContext.allowPrivilegeEscalation`,
};

/** Properties for both roles, over which those of a role take precedence. */
const GENERAL: readonly (readonly [property: string, name: string])[] = [
  ['spark.kubernetes.container.image', 'image'],
  ['spark.kubernetes.scheduler.name', 'schedulerName'],
  ['spark.kubernetes.memoryOverheadFactor', 'memoryOverheadFactor'],
  ['spark.kubernetes.securityContext.allowPrivilegeEscalation', 'allowPrivilegeEscalation'],
];

const HADOOP = 'spark.hadoop.';
const NODE_SELECTOR = 'spark.kubernetes.node.selector.';
const PREFIXES: readonly (readonly [prefix: (role: Role) => string, setting: string])[] = [
  [LABELS, 'labels'],
  [(role) => `spark.kubernetes.${role}.annotation.`, 'annotations'],
  [(role) => `spark.kubernetes.${role}.service.label.`, 'serviceLabels'],
  [(role) => `spark.kubernetes.${role}.service.annotation.`, 'serviceAnnotations'],
  [(role) => `spark.kubernetes.${role}.secrets.`, 'secrets'],
  [(role) => `spark.kubernetes.${role}.node.selector.`, 'nodeSelector'],
  [(role) => `spark.kubernetes.${role}.secretKeyRef.`, 'env'],
  [environmentPrefix, 'env'],
];

const WEAK_PROPERTIES: ReadonlySet<string> = new Set(WEAK_FIELDS.map(([, property]) => property));

/** Settings by the property, which has a fixed name. */
const BY_PROPERTY: ReadonlyMap<string, readonly Omit<Place, 'path'>[]> = groupedBy(
  ROLES.flatMap((role): [string, Omit<Place, 'path'>][] => [
    ...Object.entries({ ...OF_ROLE, ...ONLY_PROPERTIES }).map(
      ([name, property]): [string, Omit<Place, 'path'>] => [property(role), { setting: `${role}.${name}`, rank: 1 }],
    ),
    ...GENERAL.map(([property, name]): [string, Omit<Place, 'path'>] => [property, { setting: `${role}.${name}`, rank: 0, shared: true }]),
  ]),
);

/** Maps of settings by the prefix of their properties. */
const BY_PREFIX: readonly (Omit<Place, 'path'> & { readonly prefix: string })[] = [
  ...ROLES.flatMap((role) => [
    ...PREFIXES.map(([prefix, setting]) => ({ prefix: prefix(role), setting: `${role}.${setting}`, rank: 1 })),
    { prefix: NODE_SELECTOR, setting: `${role}.nodeSelector`, rank: 1, shared: true } as const,
  ]),
  { prefix: HADOOP, setting: 'hadoopConf', rank: 1 },
];

function groupedBy<T>(pairs: readonly (readonly [string, T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, value] of pairs) groups.set(key, [...groups.get(key) ?? [], value]);
  return groups;
}

function entries(spec: PartialSpec, path: Path, setting: string, rank: number, shared?: true): Place[] {
  return Object.keys(mapAt(spec, path)).map((key) => ({ setting: `${setting}[${key}]`, path: [...path, key], rank, shared }));
}

/** Whether a value is set: Go and Helm write an empty text for an unset field. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function valueAt(value: unknown, [name, ...others]: Path): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return valueAt(value.find((entry) => entry?.name === name), others);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? valueAt((value as Record<string, unknown>)[name], others)
    : undefined;
}

export function mapAt(spec: PartialSpec, path: Path): Readonly<Record<string, unknown>> {
  return (valueAt(spec, path) ?? {}) as Readonly<Record<string, unknown>>;
}

/** A list entry with a name. */
interface Named {
  readonly name: string;
  readonly [field: string]: unknown;
}

function listAt(spec: PartialSpec, path: Path): readonly Named[] {
  return (valueAt(spec, path) ?? []) as readonly Named[];
}

/** Returns a specification without the values at some paths. */
export function without(spec: PartialSpec, paths: readonly Path[]): PartialSpec {
  return paths.length === 0 ? spec : removed(spec, treeOf(paths)) as PartialSpec;
}

/** The parts to remove at a place: all of it, or some by their names. */
type Removal = 'all' | Map<string, Removal>;

function treeOf(paths: readonly Path[]): Map<string, Removal> {
  const root = new Map<string, Removal>();
  for (const path of paths) {
    let node = root;
    for (const [index, name] of path.entries()) {
      const known = node.get(name);
      if (known === 'all') break;
      if (index === path.length - 1) {
        node.set(name, 'all');
        break;
      }
      const next: Map<string, Removal> = known ?? new Map();
      node.set(name, next);
      node = next;
    }
  }
  return root;
}

function removed(value: unknown, names: Map<string, Removal>): unknown {
  if (Array.isArray(value)) return value.filter((entry) => !names.has(entry?.name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const removal = names.get(key);
    if (removal === undefined) return [[key, item]];
    return removal === 'all' ? [] : [[key, removed(item, removal)]];
  }));
}
