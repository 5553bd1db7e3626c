import type { PodSpec, Volume, VolumeMount } from '../../k8s';
import { SubmissionError } from '../errors';
import { sparkContainer, withSparkContainer } from './container';
import type { PodCustomization } from './pod-template';
import { same } from './same';

/** Builder that adds volumes to a pod, and mounts to its Spark container. */
export class VolumesAndMounts {
  private readonly spec: PodSpec;
  private readonly request: PodCustomization;
  /** First volume of each name. */
  private readonly volumes: Map<string, Volume>;
  /** First mount of each path. */
  private readonly mounts: Map<string, VolumeMount>;
  private readonly addedVolumes: Volume[] = [];
  private readonly addedMounts: VolumeMount[] = [];

  constructor(spec: PodSpec, request: PodCustomization) {
    this.spec = spec;
    this.request = request;
    this.volumes = new Map([...spec.volumes ?? []].reverse().map(volume => [volume.name, volume]));
    this.mounts = new Map([...sparkContainer(spec, request)?.volumeMounts ?? []].reverse().map(mount => [mount.mountPath, mount]));
  }

  /** Whether the pod has a volume of a name. */
  public has(volume: string): boolean {
    return this.volumes.has(volume);
  }

  /** Names of the volumes, in order. */
  public get names(): string[] {
    return [...this.spec.volumes ?? [], ...this.addedVolumes].map(({ name }) => name);
  }

  /**
   * Adds a volume.
   *
   * @throws SubmissionError if the pod has a different volume of its name
   */
  public addVolume(volume: Volume, field: string): void {
    const before = this.volumes.get(volume.name);
    if (!before) {
      this.volumes.set(volume.name, volume);
      this.addedVolumes.push(volume);
    } else if (!same(before, volume)) {
      throw new SubmissionError({
        field, value: volume.name, reason: 'is a volume that the pod has already, with other content',
        remedy: 'give one of the two another name',
      });
    }
  }

  /**
   * Adds a mount to Spark's container.
   *
   * @throws SubmissionError if it has a different mount at this path
   */
  public addMount(mount: VolumeMount, field: string): void {
    const before = this.mounts.get(mount.mountPath);
    if (!before) {
      this.mounts.set(mount.mountPath, mount);
      this.addedMounts.push(mount);
    } else if (!same(before, mount)) {
      throw new SubmissionError({
        field,
        value: mount.mountPath,
        reason: before.name === mount.name
          ? 'is where the same volume is mounted in another way'
          : `is where the volume ${before.name} is mounted in Spark's container`,
        remedy: 'choose another path, or remove one of the two',
      });
    }
  }

  /** Returns the pod; the same object if nothing was added. */
  public result(): PodSpec {
    const spec = this.addedVolumes.length === 0 ? this.spec : { ...this.spec, volumes: [...this.spec.volumes ?? [], ...this.addedVolumes] };
    if (this.addedMounts.length === 0) {
      return spec;
    }
    const container = sparkContainer(spec, this.request) ?? { name: this.request.container };
    return withSparkContainer(spec, this.request, { ...container, volumeMounts: [...container.volumeMounts ?? [], ...this.addedMounts] });
  }
}
