import type { Volume, VolumeMount } from '../../k8s';
import { SubmissionError } from '../errors';
import type { Role } from './role';
import type { SparkProperties } from './spark-conf';

/** Volumes whose names start so hold Spark's temporary files (LocalDirsFeatureStep). */
export const LOCAL_DIR_PREFIX = 'spark-local-dir-';

/** What Spark mounts itself, by properties (KubernetesVolumeUtils), and the options of each. */
const OPTIONS: { readonly [type: string]: readonly string[] } = {
  emptyDir: ['sizeLimit', 'medium'],
  hostPath: ['path', 'type'],
  nfs: ['path', 'server', 'readOnly'],
  persistentVolumeClaim: ['claimName', 'readOnly'],
};

/** How Spark mounts a volume, if it can by properties. */
export function sparkVolumeType(volume: Volume): string | undefined {
  return Object.keys(OPTIONS).find((type) => volume[type as keyof Volume]);
}

/**
 * Sets the properties for the local directories of a pod: the mounts whose names start with `spark-local-dir-`. Volumes of types that Spark
 * has no properties for come with the pod template.
 *
 * @throws SubmissionError if there is no such volume
 */
export function setLocalDirVolumes(properties: SparkProperties, role: Role, mounts: readonly VolumeMount[], volumes: readonly Volume[]): void {
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
