import type { EnvVar, Volume, VolumeMount } from '../../model/kubernetes-objects';
import type { SparkPod } from './feature-step';

/** What a step adds to the pod. */
export interface PodParts {
  readonly volumes?: readonly Volume[];
  readonly mounts?: readonly VolumeMount[];
  readonly env?: readonly EnvVar[];
}

/** The pod with volumes, and the driver's container with mounts and variables, after what is there. */
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
