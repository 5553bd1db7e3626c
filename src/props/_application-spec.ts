import { wrongProps } from './_application-checks';
import { ChangingSpec, Mutable } from './_changing-spec';
import { useLocalDirs } from './_local-dirs';
import { manifestFields } from './_manifest-fields';
import { DriverServiceOptions, SparkUIOptions } from './driver-exposure';
import { SparkApplicationProps } from './spark-application-props';
import { SparkDriverProps, SparkPodProps } from './spark-pod-props';
import { SparkUIConfiguration } from '../api/driver-exposure';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import { DeployMode, SparkApplicationSpec } from '../api/spark-application';
import { DriverSpec, PortProtocol, SecretType, SparkPodSpec } from '../api/spark-pod';
import type { Problem } from '../model/problem';

/**
 * Converts props to the specification of the manifest.
 * @returns the specification, and the problems of props without an equivalent in the manifest; the
 * specification is checked later as a whole
 * @internal
 */
export function applicationSpec(props: SparkApplicationProps): { readonly spec: ChangingSpec; readonly found: Problem[] } {
  const { metadata: _, localDirs, restartPolicy, dynamicAllocation, monitoring, batchScheduler, ui, driverIngresses, ...same } = props;
  const spec: ChangingSpec = {
    ...manifestFields(same) as Pick<ChangingSpec, 'type' | 'sparkVersion' | 'mainApplicationFile'>,
    mode: DeployMode.CLUSTER,
    restartPolicy: restartPolicy?._toSpec(),
    dynamicAllocation: dynamicAllocation?._toSpec(),
    monitoring: monitoring?._toSpec(),
    ...batchScheduler?._toSpec(),
    sparkUIOptions: uiSpec(ui),
    driverIngressOptions: driverIngresses?.map(({ port, url, ...options }) => (
      { servicePort: port, ingressURLFormat: url, ...serviceOptions(options), servicePortName: options.portName ?? `driver-ing-${port}` }
    )),
    driver: driver(props.driver ?? {}),
    executor: podSpec('executor', props.executor ?? {}),
  };
  useLocalDirs(spec, localDirs ?? []);
  return { spec, found: wrongProps(props) };
}

function driver(props: SparkDriverProps): Mutable<DriverSpec> {
  return {
    // Fields take precedence over templates, but a default must not.
    serviceAccount: props.template?.spec?.serviceAccountName || props.template?.spec?.serviceAccount ? undefined : DRIVER_SERVICE_ACCOUNT,
    ...podSpec('driver', props),
  };
}

function podSpec(role: string, { env, secretEnv, extraEnv, secrets, ports, ...same }: SparkPodProps): SparkPodSpec {
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

function serviceOptions(
  { portName, serviceType, serviceAnnotations, serviceLabels, ingressAnnotations, ingressTls }: DriverServiceOptions,
) {
  return { servicePortName: portName, serviceType, serviceAnnotations, serviceLabels, ingressAnnotations, ingressTLS: ingressTls };
}

/**
 * Adds Apache's image for the Spark version if no image is set. The decision is made at synthesis,
 * when all properties are known: a field takes precedence over properties, but a default must not.
 * @internal
 */
export function withDefaultImages(spec: ChangingSpec): SparkApplicationSpec {
  const isSet = (role: string) => Boolean(spec.sparkConf?.[`spark.kubernetes.${role}container.image`]);
  const image = `apache/spark:${spec.sparkVersion}`;
  if (spec.image !== undefined || isSet('')) return spec;
  if (!isSet('driver.') && !isSet('executor.')) return { ...spec, image };
  const withImage = <T extends SparkPodSpec>(pod: T, role: string) => (pod.image !== undefined || isSet(role) ? pod : { ...pod, image });
  return { ...spec, driver: withImage(spec.driver, 'driver.'), executor: withImage(spec.executor, 'executor.') };
}
