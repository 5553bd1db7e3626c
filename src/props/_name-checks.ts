import { wrongMountPath } from './_mount-path';
import { found, wrongLabelName, wrongName } from './_names';
import { isLocalDir } from './local-dir';
import type { SparkApplicationSpec } from '../api/spark-application';
import type { DriverSpec, ExecutorSpec } from '../api/spark-pod';
import type { Violation } from '../model/problem';

/**
 * Names and paths of an application that nobody but the cluster, or Spark in the pod, would refuse.
 * @internal
 */
export function nameViolations(spec: SparkApplicationSpec): Violation[] {
  return [
    ...found([
      wrongImage('spec.image', spec.image),
      ...list(spec.imagePullSecrets).map((name, index) => wrongName(`spec.imagePullSecrets[${index}]`, name)),
      wrongLabelName('spec.sparkUIOptions.servicePortName', spec.sparkUIOptions?.servicePortName),
      ...list(spec.driverIngressOptions).map((options, index) => wrongLabelName(`spec.driverIngressOptions[${index}].servicePortName`, options?.servicePortName)),
    ]),
    ...unknownPropertyViolations(spec.sparkConf),
    ...(['driver', 'executor'] as const).flatMap((role) => podViolations(spec[role] ?? {}, `spec.${role}`)),
  ];
}

function podViolations(pod: DriverSpec | ExecutorSpec, path: string): Violation[] {
  // Of Secrets and ConfigMaps the schema refuses an empty one.
  return found([
    wrongImage(`${path}.image`, pod.image),
    wrongName(`${path}.serviceAccount`, pod.serviceAccount),
    wrongName(`${path}.priorityClassName`, pod.priorityClassName),
    ...list(pod.secrets).map((secret, index) => wrongMountPath(`${path}.secrets[${index}].path`, secret?.path || undefined)),
    ...list(pod.configMaps).map((configMap, index) => wrongMountPath(`${path}.configMaps[${index}].path`, configMap?.path || undefined)),
    ...list(pod.volumeMounts).map((mount, index) => wrongMountPath(`${path}.volumeMounts[${index}].mountPath`, mount?.mountPath, typeof mount?.name === 'string' && isLocalDir(mount.name))),
  ]);
}

/** Patches can write any value; of the wrong type it is refused elsewhere. */
function list<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/**
 * An image; what is left out is fine.
 * @internal
 */
export function wrongImage(path: string, value: string | undefined): Violation | undefined {
  if (value === undefined || (value !== '' && !/\s/.test(value))) return undefined;
  return { path, value, reason: 'is not the name of an image, such as registry.example.org/spark:1: it must not be empty or have blanks' };
}

/**
 * Properties that Spark does not take from anybody.
 * @internal
 */
export function unknownPropertyViolations(sparkConf: { readonly [key: string]: string } | undefined): Violation[] {
  return Object.keys(sparkConf ?? {}).filter((key) => !key.startsWith('spark.'))
    .map((key) => ({ path: `spec.sparkConf[${JSON.stringify(key)}]`, value: undefined, reason: "has no effect: Spark only takes properties that begin with 'spark.'" }));
}
