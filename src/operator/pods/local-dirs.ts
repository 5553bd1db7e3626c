import type { Volume, VolumeMount } from '../../k8s';
import { LOCAL_DIR_PREFIX, sparkVolumeType } from '../submission/local-dir-properties';
import { sparkContainer, withSparkContainer } from './container';
import type { PodCustomization, PodTemplate } from './pod-template';
import { same } from './same';

/** Whether a mount of `volumeMounts` is a local directory that Spark mounts itself, as properties tell it to. */
export function isMountedBySpark(mount: VolumeMount, volumes: readonly Volume[] | undefined): boolean {
  const volume = volumes?.find(({ name }) => name === mount.name);
  return mount.name.startsWith(LOCAL_DIR_PREFIX) && volume !== undefined && sparkVolumeType(volume) !== undefined;
}

/** Volumes and where Spark's container has them. */
export interface MountedVolumes {
  readonly volumes: readonly Volume[];
  readonly volumeMounts: readonly VolumeMount[];
}

/**
 * The local directories that Spark must find in the pod that it starts from: those of types for which it has no properties. It looks for mounts
 * whose names start with `spark-local-dir-`, and makes an emptyDir if there are none (LocalDirsFeatureStep).
 */
export function localDirVolumesForTemplate({ spec, application }: Pick<PodCustomization, 'spec' | 'application'>): MountedVolumes {
  const volumeMounts = (spec.volumeMounts ?? []).filter(mount => (
    mount.name.startsWith(LOCAL_DIR_PREFIX) && !isMountedBySpark(mount, application.volumes)
  ));
  return { volumes: (application.volumes ?? []).filter(({ name }) => volumeMounts.some(mount => mount.name === name)), volumeMounts };
}

/**
 * The template with these local directories in Spark's container; the same object if there is nothing to add. What contradicts it stays for
 * `customizePod` to refuse.
 */
export function withLocalDirVolumes<T extends PodTemplate>(template: T, request: PodCustomization): T {
  const { volumes, volumeMounts } = localDirVolumesForTemplate(request);
  const spec = template.spec ?? { containers: [] };
  const container = sparkContainer(spec, request) ?? { name: request.container };
  const missingVolumes = volumes.filter(volume => !spec.volumes?.some(({ name }) => name === volume.name));
  const missingMounts = volumeMounts.filter(mount => !container.volumeMounts?.some(other => same(other, mount)));
  if (missingVolumes.length === 0 && missingMounts.length === 0) {
    return template;
  }
  const result = withSparkContainer(spec, request, { ...container, volumeMounts: [...container.volumeMounts ?? [], ...missingMounts] });
  return { ...template, spec: { ...result, volumes: [...spec.volumes ?? [], ...missingVolumes] } };
}
