import type { PodSpec, Volume, VolumeMount } from '../../k8s';
import { SubmissionError } from '../submission/errors';
import { sparkContainer, withSparkContainer } from './container';
import type { PodCustomization } from './pod-template';
import { same } from './same';

/**
 * The pod with a volume.
 *
 * @throws SubmissionError if there is another one of its name
 */
export function withVolume(spec: PodSpec, volume: Volume, field: string): PodSpec {
  const before = (spec.volumes ?? []).find(({ name }) => name === volume.name);
  if (!before) {
    return { ...spec, volumes: [...spec.volumes ?? [], volume] };
  }
  if (same(before, volume)) {
    return spec;
  }
  throw new SubmissionError({
    field, value: volume.name, reason: 'is a volume that the pod has already, with other content', remedy: 'give one of the two another name',
  });
}

/**
 * The pod with a mount in Spark's container.
 *
 * @throws SubmissionError if something else is mounted there
 */
export function withMount(spec: PodSpec, request: PodCustomization, mount: VolumeMount, field: string): PodSpec {
  const container = sparkContainer(spec, request) ?? { name: request.container };
  const before = (container.volumeMounts ?? []).find(({ mountPath }) => mountPath === mount.mountPath);
  if (!before) {
    return withSparkContainer(spec, request, { ...container, volumeMounts: [...container.volumeMounts ?? [], mount] });
  }
  if (same(before, mount)) {
    return spec;
  }
  throw new SubmissionError({
    field,
    value: mount.mountPath,
    reason: before.name === mount.name
      ? 'is where the same volume is mounted in another way'
      : `is where the volume ${before.name} is mounted in Spark's container`,
    remedy: 'choose another path, or remove one of the two',
  });
}
