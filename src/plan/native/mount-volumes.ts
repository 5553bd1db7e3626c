import { LABEL_SPARK_APP_SELECTOR } from '../../api/labels';
import type { PersistentVolumeClaim, StringMap, Volume, VolumeMount } from '../../model/kubernetes-objects';
import type { DriverConf } from './driver-conf';
import type { FeatureStep } from './feature-step';
import { addParts } from './pod-parts';
import { quantity } from './quantity';
import { DRIVER_VOLUMES, volumeSpecs } from './volume-specs';
import type { VolumeSpec } from './volume-specs';

/** Placeholder in the name of a claim that is created with the driver. */
const ON_DEMAND = 'OnDemand';

const FOR_ONE_NODE = 'spark.kubernetes.legacy.useReadWriteOnceAccessMode';

/**
 * Mounts volumes of `spark.kubernetes.driver.volumes.*`, and creates their claims
 * (MountVolumesFeatureStep).
 */
export const mountVolumes: FeatureStep = (driver, pod) => {
  const specs = volumeSpecs(driver, DRIVER_VOLUMES);
  refuseSharedPaths(driver, specs);
  const accessMode = driver.conf.boolean([FOR_ONE_NODE], !driver.version.features.readWriteOncePod) ? 'ReadWriteOnce' : 'ReadWriteOncePod';
  const claims = specs.map((spec, index) => claimOf(driver, spec, index, accessMode));
  return {
    pod: addParts(pod, {
      volumes: specs.map((spec, index) => ({ name: spec.name, ...source(driver, spec, claims[index]?.name) })),
      mounts: specs.map(spec => mount(driver, spec)),
    }),
    resources: claims.flatMap(each => each?.toCreate ?? []),
  };
};

function refuseSharedPaths({ conf }: DriverConf, specs: readonly VolumeSpec[]): void {
  const paths = new Map<string, VolumeSpec>();
  for (const spec of specs) {
    const other = paths.get(spec.mountPath);
    if (other) {
      throw conf.wrong(spec.keyOf('mount.path'), `is also the mount path of the volume ${other.name}`, 'mount it somewhere else');
    }
    paths.set(spec.mountPath, spec);
  }
}

function mount({ version }: DriverConf, { name, mountPath, readOnly, options }: VolumeSpec): VolumeMount {
  return {
    name,
    mountPath,
    readOnly,
    subPath: options.get('mount.subPath') ?? '',
    ...(version.features.subPathExpr ? { subPathExpr: options.get('mount.subPathExpr') ?? '' } : {}),
  };
}

function source(driver: DriverConf, spec: VolumeSpec, claimName: string | undefined): Omit<Volume, 'name'> {
  const option = (name: string) => spec.options.get(`options.${name}`);
  switch (spec.type) {
    case 'hostPath':
      return { hostPath: { path: option('path')!, type: driver.version.features.hostPathType ? option('type') ?? '' : '' } };
    case 'nfs':
      return { nfs: { path: option('path')!, server: option('server')! } };
    case 'emptyDir': {
      const sizeLimit = option('sizeLimit');
      return {
        emptyDir: {
          medium: option('medium') ?? '', ...(sizeLimit === undefined ? {} : { sizeLimit: checkedSize(driver, spec, sizeLimit) }),
        },
      };
    }
    case 'persistentVolumeClaim':
      return { persistentVolumeClaim: { claimName: claimName!, readOnly: spec.readOnly } };
  }
}

/**
 * Returns the name of a volume's claim. Also returns the claim if Spark creates it, which requires
 * a class and a size.
 */
function claimOf(
  driver: DriverConf, spec: VolumeSpec, index: number, accessMode: string,
): { readonly name: string; readonly toCreate?: PersistentVolumeClaim } | undefined {
  if (spec.type !== 'persistentVolumeClaim') {
    return undefined;
  }
  const name = spec.options.get('options.claimName')!.replaceAll(ON_DEMAND, `${driver.identity.resourcePrefix}-driver-pvc-${index}`);
  const storageClass = spec.options.get('options.storageClass');
  const size = spec.options.get('options.sizeLimit');
  return storageClass === undefined || size === undefined ? { name } : {
    name, toCreate: claim(driver, spec, { name, storageClass, size, accessMode }),
  };
}

/** Attributes of a claim. */
interface Claimed {
  readonly name: string;
  readonly storageClass: string;
  readonly size: string;
  readonly accessMode: string;
}

function claim(driver: DriverConf, spec: VolumeSpec, { name, storageClass, size, accessMode }: Claimed): PersistentVolumeClaim {
  const { identity, version: { features } } = driver;
  const annotations = features.claimLabels ? withPrefix(spec, 'annotation.') : {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      labels: { ...(features.claimLabels ? withPrefix(spec, 'label.') : {}), [LABEL_SPARK_APP_SELECTOR]: identity.applicationId },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: {
      accessModes: [accessMode],
      resources: { requests: { storage: checkedSize(driver, spec, size) } },
      storageClassName: storageClass,
    },
  };
}

function checkedSize({ properties }: DriverConf, spec: VolumeSpec, size: string): string {
  return quantity(size, properties.fieldOf(spec.keyOf('options.sizeLimit')));
}

function withPrefix({ options }: VolumeSpec, prefix: string): StringMap {
  return Object.fromEntries([...options].filter(([option]) => option.startsWith(prefix)).map(([option, value]) => [
    option.slice(prefix.length), value,
  ]));
}
