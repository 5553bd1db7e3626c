import { javaSplit } from '../properties/java-values';
import type { FeatureStep } from './feature-step';
import { addParts } from './pod-parts';

const VOLUME_PREFIX = 'spark-local-dir-';
const VARIABLE = 'SPARK_LOCAL_DIRS';

/**
 * Adds directories for the driver's temporary files (LocalDirsFeatureStep). They are mounts of
 * volumes with certain names, from a template or from `spark.kubernetes.driver.volumes.*`; if there
 * are none, it adds emptyDirs. Their order is that of their definition.
 */
export const localDirs: FeatureStep = ({ conf, identity, properties }, pod) => {
  const emptyDir = conf.boolean(['spark.kubernetes.local.dirs.tmpfs'], false) ? { medium: 'Memory' } : {};
  const mounted = (pod.container.volumeMounts ?? []).filter(({ name }) => name.startsWith(VOLUME_PREFIX)).map(({ mountPath }) => mountPath);
  if (mounted.length > 0) {
    return { pod: addParts(pod, { env: [{ name: VARIABLE, value: mounted.join(',') }] }) };
  }
  const directories = javaSplit(properties.get('spark.local.dir') ?? identity.localDirectory, ',');
  const name = (index: number) => `${VOLUME_PREFIX}${index + 1}`;
  return {
    pod: addParts(pod, {
      volumes: directories.map((_, index) => ({ name: name(index), emptyDir })),
      mounts: directories.map((mountPath, index) => ({ name: name(index), mountPath })),
      env: [{ name: VARIABLE, value: directories.join(',') }],
    }),
  };
};
