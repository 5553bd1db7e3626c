import { Size } from 'cdk8s';
import { mebibytesOf, refuseArguments } from './_check';
import { wrongMountPath } from './_mount-path';
import { Volume } from '../k8s';
import type { Violation } from '../model/problem';

/** What volumes for local directories are called: Spark knows them by it (LocalDirsFeatureStep). */
const PREFIX = 'spark-local-dir-';

/** Where a local directory is. */
export interface LocalDirOptions {
  /**
   * Folder in Spark's container.
   *
   * @default - `/var/data/<name of the volume>`
   */
  readonly path?: string;
}

/** What an emptyDir is made of. */
export enum LocalDirMedium {
  /** The node's disk. */
  DISK = '',
  /** Memory. It counts as memory of the container: raise `memoryOverhead` by what is kept there. */
  MEMORY = 'Memory',
}

/** A folder of the node that comes and goes with the pod. */
export interface EmptyDirOptions extends LocalDirOptions {
  /**
   * The disk or memory.
   *
   * @default LocalDirMedium.DISK
   */
  readonly medium?: LocalDirMedium;

  /**
   * What it may hold. A pod that writes more is evicted.
   *
   * @default - no limit
   */
  readonly sizeLimit?: Size;
}

/** A claim that is made for each pod, and deleted with the application. */
export interface OnDemandClaimOptions extends LocalDirOptions {
  /** Name of the StorageClass. */
  readonly storageClassName: string;

  /** Size of the volume of each pod. */
  readonly size: Size;
}

/**
 * Where Spark keeps shuffle data and what does not fit into memory.
 *
 * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#local-storage
 */
export class LocalDir {
  /**
   * A folder of the node that comes and goes with the pod.
   *
   * @param options Disk or memory, and a limit.
   */
  public static emptyDir(options: EmptyDirOptions = {}): LocalDir {
    const { medium, sizeLimit } = options;
    refuse('emptyDir', options, sizeLimit && wrongAmount('sizeLimit', sizeLimit));
    return new LocalDir({ emptyDir: { ...(medium ? { medium } : {}), ...(sizeLimit ? { sizeLimit: kubernetesSize(sizeLimit) } : {}) } }, options);
  }

  /**
   * A volume of its own for each pod, from a StorageClass: Spark makes the claims. What an executor leaves is taken over by the next one
   * (`spark.kubernetes.driver.reusePersistentVolumeClaim`).
   *
   * @param options StorageClass and size.
   */
  public static onDemandClaim(options: OnDemandClaimOptions): LocalDir {
    const { storageClassName, size } = options;
    refuse('onDemandClaim', options,
      storageClassName ? undefined : { path: 'storageClassName', value: storageClassName, reason: 'must not be empty' },
      wrongAmount('size', size));
    return new LocalDir({}, options, { 'options.claimName': 'OnDemand', 'options.storageClass': storageClassName, 'options.sizeLimit': kubernetesSize(size) });
  }

  /**
   * A folder of the node that is there, such as a fast disk. All pods of the node share it.
   *
   * @param hostPath The folder on the node.
   * @param options Where it is in Spark's container.
   */
  public static hostPath(hostPath: string, options: LocalDirOptions = {}): LocalDir {
    refuse('hostPath', options, hostPath.startsWith('/') ? undefined : { path: 'hostPath', value: hostPath, reason: 'must begin with a slash' });
    return new LocalDir({ hostPath: { path: hostPath } }, options);
  }

  /**
   * Any other volume, in Kubernetes' own shape.
   *
   * @param volume The volume. Its name does not matter: it is called `spark-local-dir-<number>`, by which Spark knows it.
   * @param options Where it is in Spark's container.
   */
  public static volume(volume: Volume, options: LocalDirOptions = {}): LocalDir {
    refuse('volume', options);
    const { name: _, ...source } = volume;
    return new LocalDir(source, options);
  }

  private constructor(
    private readonly source: Omit<Volume, 'name'>, private readonly options: LocalDirOptions, private readonly conf?: { readonly [option: string]: string },
  ) {}

  /**
   * The volume, or the properties with which Spark makes it.
   * @internal
   */
  public _toVolume(number: number): { volume: Volume; path: string; conf?: { readonly [option: string]: string } } {
    const name = `${PREFIX}${number}`;
    return { volume: { ...this.source, name }, path: this.options.path ?? `/var/data/${name}`, conf: this.conf };
  }
}

/**
 * Whether a volume is one for local directories.
 * @internal
 */
export function isLocalDir(volumeName: string): boolean {
  return volumeName.startsWith(PREFIX);
}

function refuse(factory: string, { path }: LocalDirOptions, ...found: (Violation | undefined)[]): void {
  refuseArguments(`LocalDir.${factory}`, [...found, wrongMountPath('path', path, true)]);
}

function wrongAmount(path: string, size: Size): Violation | undefined {
  return Number.isInteger(mebibytesOf(size)) && mebibytesOf(size) > 0 ? undefined : { path, value: size.asString(), reason: 'must be whole MiB, at least 1' };
}

/** A size as Kubernetes writes it. */
function kubernetesSize(size: Size): string {
  const mebibytes = mebibytesOf(size);
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`;
}
