import { ChangingSpec } from './_changing-spec';
import { isLocalDir, LocalDir } from './local-dir';

/**
 * Adds local directories to driver and executors.
 * @internal
 */
export function useLocalDirs(spec: ChangingSpec, dirs: readonly LocalDir[]): void {
  for (const dir of dirs) {
    const { volume, path, conf } = dir._toVolume(nextNumber(spec));
    if (!conf) spec.volumes = [...spec.volumes ?? [], volume];
    for (const role of ['driver', 'executor'] as const) {
      if (!conf) spec[role].volumeMounts = [...spec[role].volumeMounts ?? [], { name: volume.name, mountPath: path }];
      for (const [option, value] of Object.entries(conf ? { 'mount.path': path, 'mount.readOnly': 'false', ...conf } : {})) {
        spec.sparkConf = { ...spec.sparkConf, [`spark.kubernetes.${role}.volumes.persistentVolumeClaim.${volume.name}.${option}`]: value };
      }
    }
  }
}

/** Returns the first number that no volume uses. */
function nextNumber({ sparkConf, volumes }: ChangingSpec): number {
  const inConf = Object.keys(sparkConf ?? {}).map((key) => IN_CONF.exec(key)?.[1] ?? '');
  const used = new Set([...inConf, ...(volumes ?? []).map(({ name }) => name)].filter(isLocalDir));
  let number = 1;
  while (used.has(`spark-local-dir-${number}`)) number++;
  return number;
}

/**
 * Whether a specification has local directories.
 * @internal
 */
export function hasLocalDirs({ volumes, sparkConf }: ChangingSpec): boolean {
  return (volumes ?? []).some(({ name }) => isLocalDir(name)) || Object.keys(sparkConf ?? {}).some((key) => IN_CONF.test(key));
}

/**
 * Returns a specification without its local directories.
 * @internal
 */
export function withoutLocalDirs(spec: ChangingSpec): ChangingSpec {
  const other = <T extends { readonly name: string }>(list: readonly T[] | undefined) => list?.filter(({ name }) => !isLocalDir(name));
  return {
    ...spec,
    volumes: other(spec.volumes),
    sparkConf: spec.sparkConf && Object.fromEntries(Object.entries(spec.sparkConf).filter(([key]) => !IN_CONF.test(key))),
    driver: { ...spec.driver, volumeMounts: other(spec.driver.volumeMounts) },
    executor: { ...spec.executor, volumeMounts: other(spec.executor.volumeMounts) },
  };
}

/** Properties of a volume with local directories. */
const IN_CONF = /[.](spark-local-dir-[^.]+)[.](mount|options)[.]/;
