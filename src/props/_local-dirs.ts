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
  const inConf = Object.keys(sparkConf ?? {}).map((key) => /[.](spark-local-dir-[^.]+)[.]mount[.]path$/.exec(key)?.[1] ?? '');
  const used = new Set([...inConf, ...(volumes ?? []).map(({ name }) => name)].filter(isLocalDir));
  let number = 1;
  while (used.has(`spark-local-dir-${number}`)) number++;
  return number;
}
