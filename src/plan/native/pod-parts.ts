import type { EnvVar, Volume, VolumeMount } from '../../model/kubernetes-objects';
import type { SparkPod } from './feature-step';

/** Parts that a step adds to the pod. */
export interface PodParts {
  readonly volumes?: readonly Volume[];
  readonly mounts?: readonly VolumeMount[];
  readonly env?: readonly EnvVar[];
}

/**
 * Returns the pod with further volumes, and the driver's container with further mounts and
 * variables.
 */
export function addParts({ pod, container }: SparkPod, { volumes = [], mounts = [], env = [] }: PodParts): SparkPod {
  return {
    pod: volumes.length === 0 ? pod : { ...pod, spec: { ...pod.spec, volumes: [...pod.spec.volumes ?? [], ...volumes] } },
    container: {
      ...container,
      ...(env.length === 0 ? {} : { env: [...container.env ?? [], ...env] }),
      ...(mounts.length === 0 ? {} : { volumeMounts: [...container.volumeMounts ?? [], ...mounts] }),
    },
  };
}
