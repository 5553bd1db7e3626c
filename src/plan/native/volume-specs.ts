import { javaSplit, scalaBoolean } from '../properties/java-values';
import type { DriverConf } from './driver-conf';

/** Prefix of the properties of the driver's volumes. */
export const DRIVER_VOLUMES = 'spark.kubernetes.driver.volumes.';
/** Prefix of the properties of the executors' volumes. */
export const EXECUTOR_VOLUMES = 'spark.kubernetes.executor.volumes.';

/** Required options of each type of volume. */
const NEEDED_OPTIONS = {
  emptyDir: [],
  hostPath: ['options.path'],
  nfs: ['options.path', 'options.server'],
  persistentVolumeClaim: ['options.claimName'],
} as const satisfies { readonly [type: string]: readonly string[] };

/** A type of volume that Spark knows. */
export type VolumeType = keyof typeof NEEDED_OPTIONS;

/** A volume of properties (KubernetesVolumeSpec). */
export interface VolumeSpec {
  readonly type: VolumeType;
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
  /** Options by the end of their keys, such as `options.path` or `label.team`. */
  readonly options: ReadonlyMap<string, string>;
  /** Returns the complete key of an option. */
  readonly keyOf: (option: string) => string;
}

/**
 * Returns the volumes of properties, sorted by type and name
 * (KubernetesVolumeUtils.parseVolumesWithPrefix): `<prefix><type>.<name>.<option>=<value>`.
 *
 * @throws SubmissionError if a volume has an unknown type, or lacks an option
 */
export function volumeSpecs(driver: DriverConf, prefix: string): VolumeSpec[] {
  const volumes = new Map<string, { type: string; name: string; options: Map<string, string> }>();
  for (const [key, value] of driver.properties.withPrefix(prefix)) {
    const [type, name] = javaSplit(key, '.');
    if (type !== undefined && name !== undefined) {
      const id = `${type}.${name}.`;
      const volume = volumes.get(id) ?? { type, name, options: new Map() };
      volumes.set(id, volume);
      volume.options.set(key.slice(id.length), value);
    }
  }
  return [...volumes].map(([id, volume]) => ({ ...volume, ...checked(driver, prefix + id, volume.type, volume.options) }));
}

function checked(
  { conf, version: { features } }: DriverConf, prefix: string, type: string, options: ReadonlyMap<string, string>,
): Pick<VolumeSpec, 'type' | 'mountPath' | 'readOnly' | 'keyOf'> {
  const keyOf = (option: string) => prefix + option;
  if (!isVolumeType(type)) {
    const [option] = options.keys();
    throw conf.wrong(
      keyOf(option!), `is for a volume of type ${type}, which Spark does not know`,
      `write one of ${Object.keys(NEEDED_OPTIONS).join(', ')}`,
    );
  }
  for (const option of ['mount.path', ...NEEDED_OPTIONS[type]]) {
    if (!options.has(option)) {
      throw conf.wrong(keyOf(option), 'is missing', 'set it: the volume requires it');
    }
  }
  if (features.subPathExpr && options.has('mount.subPath') && options.has('mount.subPathExpr')) {
    throw conf.wrong(keyOf('mount.subPathExpr'), 'is not allowed together with mount.subPath', 'remove one of the two');
  }
  const size = options.get('options.sizeLimit');
  if (features.volumeSizeCheck && (type === 'emptyDir' || type === 'persistentVolumeClaim') && size !== undefined && isTooSmall(size)) {
    throw conf.wrong(keyOf('options.sizeLimit'), 'is less than 1 KiB', 'write a unit, such as 10Gi');
  }
  const readOnly = scalaBoolean(options.get('mount.readOnly') ?? 'false');
  if (readOnly === undefined) {
    throw conf.wrong(keyOf('mount.readOnly'), 'is neither true nor false', 'write true or false');
  }
  return { type, mountPath: options.get('mount.path')!, readOnly, keyOf };
}

function isVolumeType(type: string): type is VolumeType {
  return Object.hasOwn(NEEDED_OPTIONS, type);
}

/** Whether a size has no unit, and so is in bytes, but is too small to be meant that way. */
function isTooSmall(size: string): boolean {
  return /^[0-9]*$/.test(size) && Number(size) < 1024;
}
