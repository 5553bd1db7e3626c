import type { ConfigMap } from '../../model/kubernetes-objects';
import { SubmissionError } from '../errors';
import { renderJavaProperties } from '../../text/java-properties';
import type { PropertyEntry } from '../../text/java-properties';
import type { DriverConf } from './driver-conf';
import type { SparkPod } from './feature-step';
import { addParts } from './pod-parts';

/** Mount path of Spark's configuration in the driver. */
const CONF_DIRECTORY = '/opt/spark/conf';
const PROPERTIES_FILE = 'spark.properties';

/** Path of the driver's properties file in its container. */
export const PROPERTIES_PATH = `${CONF_DIRECTORY}/${PROPERTIES_FILE}`;

const VOLUME = 'spark-conf-volume-driver';

/** `rw-r--r--` as a number: JSON has no octal numbers. */
const FILE_MODE = 0o644;

/** Maximum size of a ConfigMap, in bytes. */
export const MAX_BYTES = 1_048_576;

/**
 * Returns the ConfigMap with the driver's properties (KubernetesClientUtils.buildConfigMap). It has
 * a second key, as in Spark, which is not mounted.
 *
 * @throws SubmissionError if the properties do not fit into a ConfigMap
 */
export function kubernetesConfMap({ identity, namespace }: DriverConf, properties: Iterable<PropertyEntry>): ConfigMap {
  const name = identity.configMapName;
  const rendered = renderJavaProperties(properties, `Java properties built from Kubernetes config map with name: ${name}`);
  const bytes = Buffer.byteLength(rendered) + PROPERTIES_FILE.length + 'spark.kubernetes.namespace'.length + namespace.length;
  if (bytes > MAX_BYTES) {
    throw new SubmissionError({
      field: 'spec.sparkConf',
      reason: `gives ${bytes} bytes of Spark properties, but a ConfigMap has at most ${MAX_BYTES}`,
      remedy: 'move long values into a file in the image or in storage',
    });
  }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: { [PROPERTIES_FILE]: rendered, 'spark.kubernetes.namespace': namespace },
    immutable: true,
  };
}

/**
 * Returns the pod with the ConfigMap mounted (the end of
 * org.apache.spark.deploy.k8s.submit.Client.run).
 */
export function mountConfMap(pod: SparkPod, configMapName: string): SparkPod {
  const configMap = { name: configMapName, items: [{ key: PROPERTIES_FILE, path: PROPERTIES_FILE, mode: FILE_MODE }] };
  return addParts(pod, {
    volumes: [{ name: VOLUME, configMap }],
    mounts: [{ name: VOLUME, mountPath: CONF_DIRECTORY }],
    env: [{ name: 'SPARK_CONF_DIR', value: CONF_DIRECTORY }],
  });
}
