import { javaSplit } from '../properties/java-values';
import type { FeatureStep } from './feature-step';
import { addParts } from './pod-parts';

const VOLUME_PREFIX = 'spark-local-dir-';
const VARIABLE = 'SPARK_LOCAL_DIRS';

/**
 * Directories for the driver's temporary files (LocalDirsFeatureStep): where volumes of certain names are mounted, by a template
 * or by `spark.kubernetes.driver.volumes.*`, else empty directories. They keep the order in which they are written.
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
