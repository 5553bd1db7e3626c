import { createHash } from 'node:crypto';
import type { PodSpec } from '../../k8s';
import { MAX_DNS_LABEL_LENGTH } from '../names';
import type { PodCustomization } from './pod-template';
import { VolumesAndMounts } from './volume-mounts';

const SUFFIX = '-vol';

/**
 * Returns the name of the volume for a ConfigMap: `<name>-vol`, as in kubeflow/spark-operator.
 * Names of ConfigMaps can be longer than those of volumes, and can contain dots. Such a name is
 * shortened, and eight digits of its hash keep it unique.
 */
export function configMapVolumeName(configMap: string): string {
  const plain = `${configMap}${SUFFIX}`;
  if (plain.length <= MAX_DNS_LABEL_LENGTH && !plain.includes('.')) {
    return plain;
  }
  const suffix = `-${createHash('sha256').update(configMap).digest('hex').slice(0, 8)}${SUFFIX}`;
  return configMap.replaceAll('.', '-').slice(0, MAX_DNS_LABEL_LENGTH - suffix.length).replace(/-+$/, '') + suffix;
}

/** A ConfigMap that is mounted in Spark's container. */
export interface MountedConfigMap {
  /** Name of the ConfigMap. */
  readonly configMap: string;
  /** Name of the volume. */
  readonly volume: string;
  /** Mount path. */
  readonly path: string;
  /** Field that mounts it. */
  readonly field: string;
}

/**
 * Returns the pod with ConfigMaps as read-only folders of Spark's container.
 *
 * @throws SubmissionError if the name of a volume or a path is taken
 */
export function withConfigMaps(spec: PodSpec, request: PodCustomization, configMaps: readonly MountedConfigMap[]): PodSpec {
  const pod = new VolumesAndMounts(spec, request);
  for (const { configMap, volume, path, field } of configMaps) {
    pod.addVolume({ name: volume, configMap: { name: configMap } }, field);
    pod.addMount({ name: volume, mountPath: path, readOnly: true }, field);
  }
  return pod.result();
}
