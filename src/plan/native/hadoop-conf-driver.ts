import { addParts } from './pod-parts';
import type { FeatureStep } from './feature-step';

const VOLUME = 'hadoop-properties';
const DIRECTORY = '/opt/hadoop/conf';

/** Mounts Hadoop's configuration from an existing ConfigMap (HadoopConfDriverFeatureStep). */
export const hadoopConfDriver: FeatureStep = ({ conf }, pod) => {
  const name = conf.text('spark.kubernetes.hadoop.configMapName');
  if (name === undefined) {
    return {};
  }
  return {
    pod: addParts(pod, {
      volumes: [{ name: VOLUME, configMap: { name } }],
      mounts: [{ name: VOLUME, mountPath: DIRECTORY }],
      env: [{ name: 'HADOOP_CONF_DIR', value: DIRECTORY }],
    }),
    properties: { 'spark.kubernetes.executor.hadoopConfigMapName': name },
  };
};
