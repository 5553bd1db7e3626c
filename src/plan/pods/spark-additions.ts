import { LOCAL_DIR_PREFIX } from '../properties/local-dir-properties';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import { sparkContainer } from './container';
import { isMountedBySpark } from './local-dirs';
import type { PodCustomization } from './pod-template';

/** A volume that Spark adds and mounts into its container. */
export interface SparkMount {
  /** Name of the volume. */
  readonly volume: string;
  /** Mount path. */
  readonly path: string;
  /** Description for messages. */
  readonly what: string;
  /** Field that requests it; undefined if Spark always mounts it. */
  readonly field?: string;
}

/** Parts that Spark adds to a template when it builds a pod. */
export interface SparkAdditions {
  /** Mounts in Spark's order. Two can have the same name or path, which Kubernetes rejects. */
  readonly mounts: readonly SparkMount[];
  /** Names of the volumes. */
  readonly volumes: readonly string[];
  /** Mount paths in Spark's container, with descriptions. */
  readonly mountPaths: ReadonlyMap<string, string>;
}

const NOTHING: SparkAdditions = { mounts: [], volumes: [], mountPaths: new Map() };

/**
 * Spark's ports, and the properties of their numbers (BasicDriverFeatureStep,
 * BasicExecutorFeatureStep).
 */
const PORTS = {
  driver: [
    { name: 'driver-rpc-port', keys: ['spark.driver.port'], byDefault: 7078 },
    { name: 'blockmanager', keys: ['spark.driver.blockManager.port', 'spark.blockManager.port'], byDefault: 7079 },
    { name: 'spark-ui', keys: ['spark.ui.port'], byDefault: 4040 },
  ],
  executor: [{ name: 'blockmanager', keys: ['spark.blockManager.port'], byDefault: 7079 }],
};

/**
 * Returns the parts that Spark adds to a template: its configuration, Secrets, volumes of
 * properties and local directories (KubernetesDriverBuilder, KubernetesExecutorBuilder). Returns
 * nothing for a complete pod. Takes time by the number of properties.
 */
export function addedBySpark(request: PodCustomization): SparkAdditions {
  if (request.target === 'pod') {
    return NOTHING;
  }
  const mounts = sparkMounts(request);
  return { mounts, volumes: mounts.map(({ volume }) => volume), mountPaths: new Map(mounts.map(({ path, what }) => [path, what])) };
}

/** Returns the mounts that Spark adds to its container, or has added to it. */
export function sparkMounts(request: Omit<PodCustomization, 'target'>): readonly SparkMount[] {
  const { role, properties } = request;
  const mounts: SparkMount[] = [];
  const add = (volume: string, path: string, what: string, key?: string) => {
    mounts.push({ volume, path, what, ...(key === undefined ? {} : { field: properties.fieldOf(key) }) });
  };
  if (role === 'driver') {
    add('spark-conf-volume-driver', '/opt/spark/conf', 'its configuration');
  } else if (properties.get('spark.kubernetes.executor.disableConfigMap') !== 'true') {
    add('spark-conf-volume-exec', '/opt/spark/conf', 'its configuration');
  }
  const secrets = `spark.kubernetes.${role}.secrets.`;
  for (const [secret, path] of properties.withPrefix(secrets)) {
    add(`${secret}-volume`, path, `the Secret ${secret}`, secrets + secret);
  }
  for (const { volume, path, key } of volumesOfProperties(role, properties)) {
    add(volume, path, `the volume ${volume}`, key);
  }
  const hadoop = [
    'spark.kubernetes.hadoop.configMapName', 'spark.kubernetes.executor.hadoopConfigMapName',
  ].find(key => properties.has(key));
  if (hadoop !== undefined) {
    add('hadoop-properties', '/opt/hadoop/conf', 'the configuration of Hadoop', hadoop);
  }
  if (!hasLocalDirs(request, mounts)) {
    // Without spark.local.dir, the folder has a random name.
    (properties.get('spark.local.dir') ?? '').split(',').forEach((path, index) => add(
      `${LOCAL_DIR_PREFIX}${index + 1}`, path, 'a local directory', 'spark.local.dir',
    ));
  }
  return mounts;
}

/** Returns volumes of properties, and their paths (KubernetesVolumeUtils). */
function volumesOfProperties(role: string, properties: ReadonlySparkProperties): { volume: string; path: string; key: string }[] {
  const prefix = `spark.kubernetes.${role}.volumes.`;
  return properties.withPrefix(prefix).flatMap(([key, path]) => {
    const volume = /^[^.]+[.]([^.]+)[.]mount[.]path$/.exec(key)?.[1];
    return volume === undefined ? [] : [{ volume, path, key: prefix + key }];
  });
}

/** Whether Spark finds local directories and so creates none. */
function hasLocalDirs(request: Omit<PodCustomization, 'target'>, bySpark: readonly SparkMount[]): boolean {
  const mounts = [...request.spec.volumeMounts ?? [], ...sparkContainer(request.spec.template?.spec, request)?.volumeMounts ?? []];
  return [...bySpark.map(({ volume }) => volume), ...mounts.map(({ name }) => name)].some(name => name.startsWith(LOCAL_DIR_PREFIX))
    || mounts.some(mount => isMountedBySpark(mount, request.application.volumes));
}

/** Returns the ports that Spark adds to its container in a template: numbers by name. */
export function portsBySpark({ role, properties, target }: PodCustomization): ReadonlyMap<string, number> {
  return new Map((target === 'pod' ? [] : PORTS[role]).map(({ name, keys, byDefault }) => {
    const key = keys.find(candidate => properties.has(candidate));
    return [name, key === undefined ? byDefault : Number(properties.get(key))];
  }));
}
