import type { Container, PodSpec } from '../../k8s';
import { SubmissionError } from '../errors';
import { containersOf, fieldOfContainer, initContainersOf } from './container';
import { listed } from './lists';
import { isMountedBySpark } from './local-dirs';
import { type Concern, fieldOf, type PodCustomization } from './pod-template';
import { addedBySpark } from './spark-additions';
import { VolumesAndMounts } from './volume-mounts';

export { localDirVolumesForTemplate, withLocalDirVolumes } from './local-dirs';

/** A volume that a container mounts, and the field of the mount. */
interface Use {
  readonly volume: string;
  readonly field: () => string;
}

/**
 * `volumes` of the application that a container mounts, and `volumeMounts` of Spark's container.
 * Sidecars, init containers and the template's containers can also mount them.
 */
export const volumes: Concern = (spec, request) => {
  const mounts = (request.spec.volumeMounts ?? [])
    .map((mount, index) => ({ mount, field: () => fieldOf(request, `volumeMounts[${index}]`) }))
    .filter(({ mount }) => !isMountedBySpark(mount, request.application.volumes));
  const uses = [...mounts.map(({ mount, field }) => ({ volume: mount.name, field })), ...otherUses(spec, request)];
  const pod = new VolumesAndMounts(spec, request);
  const seen = new Set(addedBySpark(request).volumes);
  for (const use of uses) {
    if (!seen.has(use.volume)) {
      addUsedVolume(pod, request, use);
      seen.add(use.volume);
    }
  }
  for (const { mount, field } of mounts) {
    pod.addMount(mount, field());
  }
  return { spec: pod.result() };
};

function addUsedVolume(pod: VolumesAndMounts, request: PodCustomization, { volume: name, field }: Use): void {
  const available = request.application.volumes ?? [];
  const index = available.findIndex(volume => volume.name === name);
  if (index >= 0) {
    // Properties describe a volume that Spark mounts, but cannot express all of its fields.
    if (!pod.has(name) || !isMountedBySpark({ name, mountPath: '' }, available)) {
      pod.addVolume(available[index]!, `spec.volumes[${index}]`);
    }
    return;
  }
  if (!pod.has(name)) {
    const known = [...available.map(volume => volume.name), ...pod.names];
    throw new SubmissionError({
      field: field(),
      value: name,
      reason: 'names no volume',
      remedy: `add it to spec.volumes${known.length === 0 ? '' : ` or mount one of ${listed(known)}`}`,
    });
  }
}

/** Returns the mounts of the pod's containers, and of the containers to add. */
function otherUses(spec: PodSpec, request: PodCustomization): Use[] {
  const present = [...initContainersOf(spec), ...containersOf(spec)];
  return [
    ...present.flatMap(container => usesOf(container, () => fieldOfContainer(container, request))),
    ...(request.spec.initContainers ?? []).flatMap((container, index) => usesOf(container, () => fieldOf(
      request, `initContainers[${index}]`,
    ))),
    ...(request.spec.sidecars ?? []).flatMap((container, index) => usesOf(container, () => fieldOf(request, `sidecars[${index}]`))),
  ];
}

function usesOf({ volumeMounts, volumeDevices }: Container, field: () => string): Use[] {
  return [
    ...(volumeMounts ?? []).map(({ name }, index) => ({ volume: name, field: () => `${field()}.volumeMounts[${index}]` })),
    ...(volumeDevices ?? []).map(({ name }, index) => ({ volume: name, field: () => `${field()}.volumeDevices[${index}]` })),
  ];
}
