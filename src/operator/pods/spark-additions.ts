import { LOCAL_DIR_PREFIX } from '../submission/local-dir-properties';
import type { ReadonlySparkProperties } from '../submission/spark-conf';
import { sparkContainer } from './container';
import { isMountedBySpark } from './local-dirs';
import type { PodCustomization } from './pod-template';

/** What Spark adds to a template when it builds a pod from it. */
export interface SparkAdditions {
  /** Names of volumes. */
  readonly volumes: readonly string[];
  /** Folders in Spark's container, and what Spark mounts there. */
  readonly mountPaths: ReadonlyMap<string, string>;
  /** Ports of Spark's container: its names and their numbers. */
  readonly ports: ReadonlyMap<string, number>;
}

const NOTHING: SparkAdditions = { volumes: [], mountPaths: new Map(), ports: new Map() };

/** Ports and the properties that choose their numbers (BasicDriverFeatureStep, BasicExecutorFeatureStep). */
const PORTS = {
  driver: [
    { name: 'driver-rpc-port', keys: ['spark.driver.port'], byDefault: 7078 },
    { name: 'blockmanager', keys: ['spark.driver.blockManager.port', 'spark.blockManager.port'], byDefault: 7079 },
    { name: 'spark-ui', keys: ['spark.ui.port'], byDefault: 4040 },
  ],
  executor: [{ name: 'blockmanager', keys: ['spark.blockManager.port'], byDefault: 7079 }],
};

/**
 * What Spark adds to a pod after what is put onto its template: its configuration, Secrets, volumes of its properties, local directories
 * and ports (KubernetesDriverBuilder, KubernetesExecutorBuilder). Nothing if the pod is complete already.
 */
export function addedBySpark(request: PodCustomization): SparkAdditions {
  return request.target === 'pod' ? NOTHING : { ...mountedBySpark(request), ports: portsOf(request) };
}

function mountedBySpark(request: PodCustomization): Pick<SparkAdditions, 'volumes' | 'mountPaths'> {
  const { role, properties } = request;
  const volumes: string[] = [];
  const mountPaths = new Map<string, string>();
  const add = (volume: string, path: string, what: string) => {
    volumes.push(volume);
    mountPaths.set(path, what);
  };
  if (role === 'driver') {
    add('spark-conf-volume-driver', '/opt/spark/conf', 'its configuration');
  } else if (properties.get('spark.kubernetes.executor.disableConfigMap') !== 'true') {
    add('spark-conf-volume-exec', '/opt/spark/conf', 'its configuration');
  }
  for (const [secret, path] of properties.withPrefix(`spark.kubernetes.${role}.secrets.`)) {
    add(`${secret}-volume`, path, `the Secret ${secret}`);
  }
  for (const [volume, path] of volumesOfProperties(role, properties)) {
    add(volume, path, `the volume ${volume}`);
  }
  if (['spark.kubernetes.hadoop.configMapName', 'spark.kubernetes.executor.hadoopConfigMapName'].some(key => properties.has(key))) {
    add('hadoop-properties', '/opt/hadoop/conf', 'the configuration of Hadoop');
  }
  if (!hasLocalDirs(request, volumes)) {
    // Without spark.local.dir the folder has a random name.
    (properties.get('spark.local.dir') ?? '').split(',').forEach((path, index) => add(`${LOCAL_DIR_PREFIX}${index + 1}`, path, 'a local directory'));
  }
  return { volumes, mountPaths };
}

/** Volumes that properties describe, and their paths (KubernetesVolumeUtils). */
function volumesOfProperties(role: string, properties: ReadonlySparkProperties): [string, string][] {
  return properties.withPrefix(`spark.kubernetes.${role}.volumes.`).flatMap(([key, value]): [string, string][] => {
    const name = /^[^.]+[.]([^.]+)[.]mount[.]path$/.exec(key)?.[1];
    return name === undefined ? [] : [[name, value]];
  });
}

/** Whether Spark finds local directories, so that it makes none. */
function hasLocalDirs(request: PodCustomization, volumes: readonly string[]): boolean {
  const mounts = [...request.spec.volumeMounts ?? [], ...sparkContainer(request.spec.template?.spec, request)?.volumeMounts ?? []];
  return [...volumes, ...mounts.map(({ name }) => name)].some(name => name.startsWith(LOCAL_DIR_PREFIX))
    || mounts.some(mount => isMountedBySpark(mount, request.application.volumes));
}

function portsOf({ role, properties }: PodCustomization): ReadonlyMap<string, number> {
  return new Map(PORTS[role].map(({ name, keys, byDefault }) => {
    const key = keys.find(candidate => properties.has(candidate));
    return [name, key === undefined ? byDefault : Number(properties.get(key))];
  }));
}
