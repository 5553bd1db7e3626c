import { ChangingSpec } from './_changing-spec';
import { hasLocalDirs, useLocalDirs, withoutLocalDirs } from './_local-dirs';
import { manifestFields } from './_manifest-fields';
import { withOpenLineage } from './_open-lineage';
import { DriverServiceOptions, SparkUIOptions } from './driver-exposure';
import { SparkPodProps } from './spark-pod-props';
import { SparkProfileProps } from './spark-profile-props';
import { SparkUIConfiguration } from '../api/driver-exposure';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import { PortProtocol, SecretType, SparkPodSpec } from '../api/spark-pod';
import type { Layer } from '../plan/defaults/layer';
import { withWeaker } from '../plan/defaults/apply';

/**
 * Converts the props that all workloads share to the specification of an application.
 * @internal
 */
export function workloadSpec(props: SparkProfileProps): ChangingSpec {
  const {
    localDirs, pods, driver = {}, executor = {}, restartPolicy, dynamicAllocation, monitoring, batchScheduler, ui, openLineage, ...same
  } = props;
  const own = withOpenLineage({
    ...manifestFields(same) as Pick<ChangingSpec, 'type' | 'sparkVersion' | 'mainApplicationFile'>,
    restartPolicy: restartPolicy?._toRestartPolicy(),
    dynamicAllocation: dynamicAllocation?._toAllocation(),
    monitoring: monitoring?._toMonitoring(),
    ...batchScheduler?._toScheduler(),
    sparkUIOptions: uiSpec(ui),
    driver: podSpec('driver', driver),
    executor: podSpec('executor', executor),
  }, openLineage);
  const spec: ChangingSpec = pods ? withWeaker(own, { driver: podSpec('driver', pods), executor: podSpec('executor', pods) }) : own;
  useLocalDirs(spec, localDirs ?? []);
  return spec;
}

/**
 * Converts the props of a pod to its fields of the manifest.
 * @internal
 */
export function podSpec(role: string, { env, secretEnv, extraEnv, secrets, ports, ...same }: SparkPodProps): SparkPodSpec {
  const variables = [
    ...Object.entries(env ?? {}).map(([name, value]) => ({ name, value })),
    ...Object.entries(secretEnv ?? {}).map(([name, secretKeyRef]) => ({ name, valueFrom: { secretKeyRef } })),
    ...(extraEnv ?? []),
  ];
  return {
    ...manifestFields(same, role),
    env: variables.length > 0 ? variables : undefined,
    secrets: secrets?.map(({ type, ...secret }) => ({ ...secret, secretType: type ?? SecretType.GENERIC })),
    ports: ports?.map(({ name, port, protocol }) => ({ name, containerPort: port, protocol: protocol ?? PortProtocol.TCP })),
  };
}

/**
 * Converts the settings of the web UI to the manifest.
 * @internal
 */
export function uiSpec(ui: SparkUIOptions | undefined): SparkUIConfiguration | undefined {
  return ui && { servicePort: ui.port, ...serviceOptions(ui) };
}

/**
 * Converts the settings of a Service and its Ingress to the manifest.
 * @internal
 */
export function serviceOptions(
  { portName, serviceType, serviceAnnotations, serviceLabels, ingressAnnotations, ingressTls }: DriverServiceOptions,
) {
  return { servicePortName: portName, serviceType, serviceAnnotations, serviceLabels, ingressAnnotations, ingressTLS: ingressTls };
}

/** Further sources of the settings of a workload. @internal */
export interface SettingSources {
  readonly profile?: ChangingSpec;
  readonly layer?: Layer;
  /** Name of the namespace's service account for drivers. */
  readonly serviceAccountName?: string;
  /** Whether the template of a role has the image, for kinds that use that. */
  readonly hasImage?: (role: 'driver' | 'executor') => boolean;
}

/**
 * Returns the specification to write: with the profile, and with a service account and an image if
 * nothing else decides about them. It is created at synthesis, when all properties are known: a
 * field takes precedence over properties and templates, but a default must not.
 * @internal
 */
export function completeSpec(
  own: ChangingSpec, { profile, layer, serviceAccountName = DRIVER_SERVICE_ACCOUNT, hasImage = () => false }: SettingSources,
): ChangingSpec {
  const spec = profile ? withWeaker(own, hasLocalDirs(own) ? withoutLocalDirs(profile) : profile) : own;
  const ofNamespace = [layer?.defaults, layer?.enforced].map((part) => part ?? {}) as Partial<ChangingSpec>[];
  return withImages(withAccount(spec, ofNamespace, serviceAccountName), ofNamespace, hasImage);
}

function withAccount(spec: ChangingSpec, ofNamespace: readonly Partial<ChangingSpec>[], serviceAccount: string): ChangingSpec {
  const { template } = spec.driver;
  const isDecided = spec.driver.serviceAccount !== undefined || template?.spec?.serviceAccountName || template?.spec?.serviceAccount
    || ofNamespace.some(({ driver }) => driver?.serviceAccount);
  return isDecided ? spec : { ...spec, driver: { serviceAccount, ...spec.driver } };
}

/** Adds Apache's image for the Spark version. */
function withImages(
  spec: ChangingSpec, ofNamespace: readonly Partial<ChangingSpec>[], hasImage: (role: 'driver' | 'executor') => boolean,
): ChangingSpec {
  if (spec.image !== undefined || !spec.sparkVersion) return spec;
  const all = [spec, ...ofNamespace];
  const isSet = (role: string) => all.some(({ sparkConf }) => sparkConf?.[`spark.kubernetes.${role}container.image`]);
  const image = `apache/spark:${spec.sparkVersion}`;
  if (ofNamespace.some((part) => part.image) || isSet('')) return spec;
  const isRoleSet = (role: 'driver' | 'executor') => hasImage(role) || isSet(`${role}.`) || ofNamespace.some((part) => part[role]?.image);
  if (!isRoleSet('driver') && !isRoleSet('executor')) return { ...spec, image };
  const withImage = <T extends SparkPodSpec>(pod: T, isKnown: boolean) => (pod.image !== undefined || isKnown ? pod : { ...pod, image });
  if (isRoleSet('driver') && isRoleSet('executor')) return spec;
  return { ...spec, driver: withImage(spec.driver, isRoleSet('driver')), executor: withImage(spec.executor, isRoleSet('executor')) };
}
