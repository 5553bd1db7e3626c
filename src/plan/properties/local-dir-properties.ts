import type { Volume, VolumeMount } from '../../k8s';
import { SubmissionError } from '../errors';
import type { Role } from './role';
import type { SparkProperties } from './spark-conf';

/** Prefix of the names of volumes for Spark's temporary files (LocalDirsFeatureStep). */
export const LOCAL_DIR_PREFIX = 'spark-local-dir-';

/** Types of volumes that Spark mounts by properties (KubernetesVolumeUtils), with their options. */
const OPTIONS: { readonly [type: string]: readonly string[] } = {
  emptyDir: ['sizeLimit', 'medium'],
  hostPath: ['path', 'type'],
  nfs: ['path', 'server', 'readOnly'],
  persistentVolumeClaim: ['claimName', 'readOnly'],
};

/** Returns the type by which Spark mounts a volume, if properties can describe it. */
export function sparkVolumeType(volume: Volume): string | undefined {
  return Object.keys(OPTIONS).find((type) => volume[type as keyof Volume]);
}

/**
 * Sets the properties for the local directories of a pod: mounts with names that start with
 * `spark-local-dir-`. The pod template contains volumes of types without Spark properties.
 *
 * @throws SubmissionError if the volume does not exist
 */
export function setLocalDirVolumes(
  properties: SparkProperties, role: Role, mounts: readonly VolumeMount[], volumes: readonly Volume[],
): void {
  mounts.forEach((mount, index) => {
    if (!mount.name.startsWith(LOCAL_DIR_PREFIX)) {
      return;
    }
    const field = `spec.${role}.volumeMounts[${index}]`;
    const volume = volumes.find(({ name }) => name === mount.name);
    if (!volume) {
      throw new SubmissionError({
        field, value: mount.name, reason: 'names no volume', remedy: `add a volume ${mount.name} to spec.volumes`,
      });
    }
    const type = sparkVolumeType(volume);
    if (!type) {
      return;
    }
    const set = (name: string, value: unknown) => {
      if (value !== undefined && value !== null && value !== '' && value !== false) {
        properties.set(`spark.kubernetes.${role}.volumes.${type}.${mount.name}.${name}`, String(value), field);
      }
    };
    set('mount.path', mount.mountPath);
    set('mount.subPath', mount.subPath);
    set('mount.readOnly', mount.readOnly);
    const source = volume[type as keyof Volume] as { readonly [option: string]: unknown };
    for (const option of OPTIONS[type]!) {
      set(`options.${option}`, source[option]);
    }
  });
}
