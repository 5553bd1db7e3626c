import { found, wrongImage, wrongLabelName, wrongMountPath, wrongName } from '../rules/names';
import { isLocalDir } from './local-dir';
import type { SparkApplicationSpec } from '../api/spark-application';
import type { DriverSpec, ExecutorSpec } from '../api/spark-pod';
import type { Problem } from '../model/problem';

/**
 * Checks names and paths of an application that otherwise only the cluster, or Spark in the pod,
 * would reject.
 * @internal
 */
export function nameViolations(spec: SparkApplicationSpec): Problem[] {
  return [
    ...found([
      wrongImage('spec.image', spec.image),
      ...list(spec.imagePullSecrets).map((name, index) => wrongName(`spec.imagePullSecrets[${index}]`, name)),
      wrongLabelName('spec.sparkUIOptions.servicePortName', spec.sparkUIOptions?.servicePortName),
      ...list(spec.driverIngressOptions).map((options, index) => wrongLabelName(
        `spec.driverIngressOptions[${index}].servicePortName`, options?.servicePortName,
      )),
    ]),
    ...unknownPropertyViolations(spec.sparkConf),
    ...(['driver', 'executor'] as const).flatMap((role) => podViolations(spec[role] ?? {}, `spec.${role}`)),
  ];
}

function podViolations(pod: DriverSpec | ExecutorSpec, path: string): Problem[] {
  // For Secrets and ConfigMaps, the schema rejects an empty name.
  return found([
    wrongImage(`${path}.image`, pod.image),
    wrongName(`${path}.serviceAccount`, pod.serviceAccount),
    wrongName(`${path}.priorityClassName`, pod.priorityClassName),
    ...list(pod.secrets).map((secret, index) => wrongMountPath(`${path}.secrets[${index}].path`, secret?.path || undefined)),
    ...list(pod.configMaps).map((configMap, index) => wrongMountPath(`${path}.configMaps[${index}].path`, configMap?.path || undefined)),
    ...list(pod.volumeMounts).map((mount, index) => wrongMountPath(
      `${path}.volumeMounts[${index}].mountPath`, mount?.mountPath, typeof mount?.name === 'string' && isLocalDir(mount.name),
    )),
  ]);
}

/** Patches can write any value; another check rejects wrong types. */
function list<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Checks properties that Spark sets itself.
 * @internal
 */
export function unknownPropertyViolations(sparkConf: { readonly [key: string]: string } | undefined): Problem[] {
  return Object.keys(sparkConf ?? {}).filter((key) => !key.startsWith('spark.'))
    .map((key) => ({
      path: `spec.sparkConf[${key}]`, value: undefined,
      reason: "has no effect: Spark only takes properties that begin with 'spark.'",
    }));
}
