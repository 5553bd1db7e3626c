import { Size } from 'cdk8s';
import { mebibytesOf, missing, rejectArguments } from './_check';
import { checkArguments, object, size, text } from './_prop-types';
import { wrongMountPath } from '../rules/names';
import { Volume } from '../k8s';
import type { Problem } from '../model/problem';

/** Prefix of volume names by which Spark recognizes local directories (LocalDirsFeatureStep). */
const PREFIX = 'spark-local-dir-';
const PATH = { path: text } as const;

/** Mount of a local directory. */
export interface LocalDirOptions {
  /**
   * Folder in Spark's container.
   *
   * @default - `/var/data/<name of the volume>`
   */
  readonly path?: string;
}

/** Medium of an emptyDir. */
export enum LocalDirMedium {
  /** The node's disk. */
  DISK = '',
  /**
   * Memory. It is part of the container's memory: raise `memoryOverhead` by the size of
   * the content.
   */
  MEMORY = 'Memory',
}

/** A folder of the node with the lifetime of the pod. */
export interface EmptyDirOptions extends LocalDirOptions {
  /**
   * Disk or memory.
   *
   * @default LocalDirMedium.DISK
   */
  readonly medium?: LocalDirMedium;

  /**
   * Maximum size. Kubernetes evicts a pod that exceeds it.
   *
   * @default - no limit
   */
  readonly sizeLimit?: Size;
}

/** A claim that is created for each pod, and deleted with the application. */
export interface OnDemandClaimOptions extends LocalDirOptions {
  /** Name of the StorageClass. */
  readonly storageClassName: string;

  /** Size of the volume of each pod. */
  readonly size: Size;
}

/**
 * Storage for shuffle data, and for data that does not fit into memory.
 *
 * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#local-storage
 */
export class LocalDir {
  /**
   * A folder of the node with the lifetime of the pod.
   *
   * @param options Disk or memory, and a limit.
   */
  public static emptyDir(options: EmptyDirOptions = {}): LocalDir {
    options = checkArguments('LocalDir.emptyDir', { options }, { options: { ...PATH, medium: text, sizeLimit: size } }).options;
    const { medium, sizeLimit } = options;
    reject('emptyDir', options, wrongAmount('sizeLimit', sizeLimit));
    return new LocalDir(
      { emptyDir: { ...(medium ? { medium } : {}), ...(sizeLimit ? { sizeLimit: kubernetesSize(sizeLimit) } : {}) } }, options,
    );
  }

  /**
   * A separate volume for each pod, from a StorageClass: Spark creates the claims. A new executor
   * takes over the volume of an old one (`spark.kubernetes.driver.reusePersistentVolumeClaim`).
   *
   * @param options StorageClass and size.
   */
  public static onDemandClaim(options: OnDemandClaimOptions): LocalDir {
    options = checkArguments('LocalDir.onDemandClaim', { options }, { options: { ...PATH, storageClassName: text, size } }).options;
    const { storageClassName = '', size: amount } = options;
    reject('onDemandClaim', options,
      storageClassName ? undefined : { path: 'storageClassName', value: storageClassName, reason: 'must not be empty' },
      missing('size', amount), wrongAmount('size', amount));
    return new LocalDir({}, options, {
      'options.claimName': 'OnDemand', 'options.storageClass': storageClassName, 'options.sizeLimit': kubernetesSize(amount),
    });
  }

  /**
   * An existing folder of the node, such as a fast disk. All pods of the node share it.
   *
   * @param hostPath Folder on the node.
   * @param options Mount path in Spark's container.
   */
  public static hostPath(hostPath: string, options: LocalDirOptions = {}): LocalDir {
    options = checkArguments('LocalDir.hostPath', { hostPath, options }, { hostPath: text, options: PATH }).options;
    reject('hostPath', options, hostPath.startsWith('/') ? undefined : {
      path: 'hostPath', value: hostPath, reason: 'must begin with a slash',
    });
    return new LocalDir({ hostPath: { path: hostPath } }, options);
  }

  /**
   * Any other volume, in the shape of Kubernetes.
   *
   * @param volume Volume. Its name is replaced by `spark-local-dir-<number>`, which Spark
   * recognizes.
   * @param options Mount path in Spark's container.
   */
  public static volume(volume: Volume, options: LocalDirOptions = {}): LocalDir {
    options = checkArguments('LocalDir.volume', { volume, options }, { volume: object, options: PATH }).options;
    reject('volume', options);
    const { name: _, ...source } = volume;
    return new LocalDir(source, options);
  }

  private constructor(
    private readonly source: Omit<Volume, 'name'>, private readonly options: LocalDirOptions,
    private readonly conf?: { readonly [option: string]: string },
  ) {}

  /**
   * Returns the volume, or the properties with which Spark creates it.
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

function reject(factory: string, { path }: LocalDirOptions, ...found: (Problem | undefined)[]): void {
  rejectArguments(`LocalDir.${factory}`, [...found, wrongMountPath('path', path, true)]);
}

function wrongAmount(path: string, amount: Size | undefined): Problem | undefined {
  return amount === undefined || Number.isInteger(mebibytesOf(amount)) && mebibytesOf(amount) > 0 ? undefined : {
    path, value: amount.asString(), reason: 'must be whole MiB, at least 1',
  };
}

/** Formats a size for Kubernetes. */
function kubernetesSize(amount: Size): string {
  const mebibytes = mebibytesOf(amount);
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`;
}
