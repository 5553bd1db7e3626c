import type { Volume, VolumeMount } from '../../k8s';
import { LOCAL_DIR_PREFIX, sparkVolumeType } from '../properties/local-dir-properties';
import { sparkContainer, withSparkContainer } from './container';
import { KnownItems } from './lists';
import type { PodCustomization, PodTemplate } from './pod-template';

/**
 * Whether a mount of `volumeMounts` is a local directory that Spark mounts itself because of
 * properties.
 */
export function isMountedBySpark(mount: VolumeMount, volumes: readonly Volume[] | undefined): boolean {
  const volume = mount.name.startsWith(LOCAL_DIR_PREFIX) ? volumes?.find(({ name }) => name === mount.name) : undefined;
  return volume !== undefined && sparkVolumeType(volume) !== undefined;
}

/** Volumes and their mounts in Spark's container. */
export interface MountedVolumes {
  readonly volumes: readonly Volume[];
  readonly volumeMounts: readonly VolumeMount[];
}

/**
 * Returns the local directories that the template must contain: those of volume types without Spark
 * properties. Spark searches for mounts with names that start with `spark-local-dir-`, and creates
 * an emptyDir if it finds none (LocalDirsFeatureStep).
 */
export function localDirVolumesForTemplate({ spec, application }: Pick<PodCustomization, 'spec' | 'application'>): MountedVolumes {
  const volumeMounts = (spec.volumeMounts ?? []).filter(mount => (
    mount.name.startsWith(LOCAL_DIR_PREFIX) && !isMountedBySpark(mount, application.volumes)
  ));
  const mounted = new Set(volumeMounts.map(({ name }) => name));
  return { volumes: (application.volumes ?? []).filter(({ name }) => mounted.has(name)), volumeMounts };
}

/**
 * Returns the template with these local directories in Spark's container; the same object if there
 * is nothing to add. It adds contradictions too, which `customizePod` rejects.
 */
export function withLocalDirVolumes<T extends PodTemplate>(template: T, request: PodCustomization): T {
  const { volumes, volumeMounts } = localDirVolumesForTemplate(request);
  const spec = template.spec ?? { containers: [] };
  const container = sparkContainer(spec, request) ?? { name: request.container };
  if (volumeMounts.length === 0) {
    return template;
  }
  const [names, mounts] = [new Set(spec.volumes?.map(({ name }) => name)), new KnownItems(container.volumeMounts ?? [])];
  const missingVolumes = volumes.filter(({ name }) => !names.has(name));
  const missingMounts = volumeMounts.filter(mount => !mounts.has(mount));
  if (missingVolumes.length === 0 && missingMounts.length === 0) {
    return template;
  }
  const result = withSparkContainer(spec, request, { ...container, volumeMounts: [...container.volumeMounts ?? [], ...missingMounts] });
  return { ...template, spec: { ...result, volumes: [...spec.volumes ?? [], ...missingVolumes] } };
}
