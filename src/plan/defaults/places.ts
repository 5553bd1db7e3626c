import { RESOLVED_FIELDS, SPARK_CONF_RANK, type ResolvedField } from '../fields';
import { isSet, listAt, mapAt, valueAt, type Named, type Path, type Values } from '../paths';
import { HADOOP_CONFIG, SPARK_CONFIG } from '../pods/config-directories';
import { needsEscalation } from '../pods/security-context';
import { LOCAL_DIR_PREFIX } from '../properties/local-dir-properties';
import { ROLES, type Role } from '../properties/role';
import { secretVariable } from '../properties/secret-properties';
import type { PartialSpec } from './layer';

/** One of several places for the same setting. */
export interface Place {
  /** The setting, such as `spark.driver.memory`. */
  readonly setting: string;
  readonly path: Path;
  /** The rank: the place with the higher one takes precedence (docs/reference/precedence.md). */
  readonly rank: number;
  /** Whether the place has other settings, too, such as the same for driver and executors. */
  readonly shared?: boolean;
}

/** Fields that set something which another place can also set. */
const SETTING_FIELDS = RESOLVED_FIELDS.filter((row): row is ResolvedField & { readonly setting: string } => row.setting !== undefined);

/** Places of single values that hold whatever a specification contains. */
const SINGLE_PLACES: readonly Place[] = SETTING_FIELDS.flatMap((row) => [
  ...(isMap(row) ? [] : [{ setting: row.setting, path: row.path, rank: row.rank, shared: row.isShared }]),
  ...(row.otherwise ? [{ setting: row.setting, path: row.otherwise, rank: row.rank - 1, shared: true }] : []),
  // The field for both roles.
  ...SETTING_FIELDS.filter(({ property }) => property !== undefined && property === row.ofBothRoles).map(
    ({ path, rank }) => ({ setting: row.setting, path, rank: rank - 1, shared: true }),
  ),
]);

/** Maps, and lists of entries with names. */
const MAP_FIELDS = SETTING_FIELDS.filter(isMap);

function isMap({ property, path }: ResolvedField): boolean {
  return property?.endsWith('.') ?? path.at(-1) === 'env';
}

/** Returns the places of an image that both roles share; none if there is no such image. */
export function placesOfSharedImage({ image }: PartialSpec): Place[] {
  return isSet(image) ? SINGLE_PLACES.filter(({ path }) => path[0] === 'image') : [];
}

/** Returns all settings of a partial specification that could also be in another place. */
export function placesIn(spec: PartialSpec): Place[] {
  const places = singlePlacesIn(spec);
  return [...places, ...places.flatMap(placesOfOverhead)];
}

/** Pattern of the settings that replace the factor of a role. */
const OVERHEAD = /^spark\.(driver|executor)\.memoryOverhead$/;

/** Returns the place as one of the overhead factor, which has no effect if an overhead is set. */
function placesOfOverhead({ setting, path }: Place): Place[] {
  return OVERHEAD.test(setting) ? [{ setting: `${setting}Factor`, path, rank: 3 }] : [];
}

function singlePlacesIn(spec: PartialSpec): Place[] {
  return [
    ...Object.keys(mapAt(spec, ['sparkConf'])).flatMap(placesOfProperty),
    ...SINGLE_PLACES.filter(({ path }) => isSet(valueAt(spec, path))),
    ...MAP_FIELDS.flatMap(({ setting, path, rank, isShared }) => namesAt(spec, path).map(
      (name): Place => ({ setting: entryOf(setting, name), path: [...path, name], rank, shared: isShared }),
    )),
    ...placesOfMonitoring(mapAt(spec, ['monitoring'])),
    ...ROLES.flatMap((role) => [
      ...listAt(spec, [role, 'secrets']).flatMap((secret) => placesOfVariable(role, secret)),
      ...[SPARK_CONFIG, HADOOP_CONFIG].filter(({ field }) => isSet(spec[field]))
        .map(({ variable, field }): Place => ({ setting: entryOf(`${role}.env`, variable), path: [field], rank: 6, shared: true })),
      ...listAt(spec, [role, 'volumeMounts']).filter(({ name }) => name.startsWith(LOCAL_DIR_PREFIX))
        .map(({ name }): Place => ({ setting: entryOf(volumesOf(role), name), path: [role, 'volumeMounts', name], rank: 2 })),
      ...placesOfEscalation(role, mapAt(spec, [role, 'securityContext'])),
    ]),
  ];
}

function entryOf(setting: string, name: string): string {
  return `${setting}[${name}]`;
}

function namesAt(spec: Values, path: Path): string[] {
  const value = valueAt(spec, path);
  return Array.isArray(value) ? value.map(({ name }: Named) => name) : Object.keys(value ?? {});
}

/** Returns the place of the variable that points to a mounted Secret of some types. */
function placesOfVariable(role: Role, { name, secretType }: Named): Place[] {
  const variable = secretVariable(String(secretType));
  return variable === undefined ? [] : [
    { setting: entryOf(`${role}.env`, variable), path: [role, 'secrets', name], rank: 3, shared: true },
  ];
}

/** Returns the places of settings that need privilege escalation. */
function placesOfEscalation(role: Role, context: Values): Place[] {
  return ['privileged', 'capabilities'].filter((field) => needsEscalation({ [field]: context[field] })).map((field) => (
    { setting: `spark.kubernetes.${role}.securityContext.allowPrivilegeEscalation`, path: [role, 'securityContext', field], rank: 2 }
  ));
}

/** Returns the places of metrics of the exporter, or of Spark's own servlet. */
function placesOfMonitoring(monitoring: Values): Place[] {
  const scraped = (role: Role) => ['scrape', 'port', 'path'].map(
    (name) => entryOf(`spark.kubernetes.${role}.annotation.`, `prometheus.io/${name}`),
  );
  const exposed = ROLES.filter((role) => monitoring[role === 'driver' ? 'exposeDriverMetrics' : 'exposeExecutorMetrics'] === true);
  const of = (field: string, rank: number, settings: readonly string[]) => (monitoring[field] ? settings : []).map(
    (setting): Place => ({ setting, path: ['monitoring', field], rank, shared: true }),
  );
  return [
    ...of('prometheus', 2, ['spark.metrics.namespace', 'spark.metrics.conf']),
    ...of('metricsPropertiesFile', 3, monitoring.prometheus ? ['spark.metrics.conf'] : []),
    ...of('prometheusServlet', 3, [
      ...['class', 'path'].map((name) => `spark.metrics.conf.driver.sink.prometheusServlet.${name}`),
      'spark.ui.prometheus.enabled', ...scraped('driver'),
    ]),
    ...of('prometheus', 4, exposed.flatMap(scraped)),
  ];
}

/** Returns what a Spark property sets, in terms of the fields. */
function placesOfProperty(name: string): Place[] {
  const path = ['sparkConf', name];
  // The old name of the overhead.
  const key = name.replace(/^spark\.yarn\.(?=(?:driver|executor)\.memoryOverhead$)/, 'spark.');
  const found = (BY_PROPERTY.get(key) ?? []).map((place): Place => ({ ...place, path }));
  for (const { prefix, setting, shared } of BY_PREFIX) {
    if (key.startsWith(prefix)) found.push({ setting: entryOf(setting, key.slice(prefix.length)), path, rank: SPARK_CONF_RANK, shared });
  }
  for (const volumes of ROLES.map(volumesOf)) {
    const volume = key.startsWith(volumes) ? key.slice(volumes.length).split('.', 2)[1] : undefined;
    if (volume?.startsWith(LOCAL_DIR_PREFIX)) found.push({ setting: entryOf(volumes, volume), path, rank: SPARK_CONF_RANK });
  }
  return found.length > 0 ? found : [{ setting: key, path, rank: SPARK_CONF_RANK }];
}

/** Prefix of the properties of volumes: `spark.kubernetes.driver.volumes.emptyDir.tmp.…`. */
function volumesOf(role: Role): string {
  return `spark.kubernetes.${role}.volumes.`;
}

/** Settings by the property, which has a fixed name. */
const BY_PROPERTY: ReadonlyMap<string, readonly Omit<Place, 'path'>[]> = groupedBy(
  SETTING_FIELDS.flatMap((row): [string, Omit<Place, 'path'>][] => [
    ...(row.property === undefined || isMap(row) ? [] : [[row.property, { setting: row.setting, rank: SPARK_CONF_RANK }] as const]),
    ...(row.ofBothRoles ? [[row.ofBothRoles, { setting: row.setting, rank: SPARK_CONF_RANK - 1, shared: true }] as const] : []),
  ].map(([property, place]): [string, Omit<Place, 'path'>] => [property, place])),
);

/** Maps of settings by the prefix of their properties. */
const BY_PREFIX: readonly (Pick<Place, 'setting' | 'shared'> & { readonly prefix: string })[] = MAP_FIELDS.flatMap(
  ({ property, setting, isShared }) => (property === undefined ? [] : [{ prefix: property, setting, shared: isShared }]),
);

function groupedBy<T>(pairs: readonly (readonly [string, T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, value] of pairs) groups.set(key, [...groups.get(key) ?? [], value]);
  return groups;
}
