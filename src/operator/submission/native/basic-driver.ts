import { DRIVER_CONTAINER } from '../../../api/labels';
import type { Container, EnvVar, PodSpec, StringMap } from '../../kubernetes-objects';
import { SubmissionError } from '../errors';
import { DRIVER_POD_NAME } from '../identity';
import type { DriverConf } from './driver-conf';
import type { FeatureStep } from './feature-step';
import { driverAnnotations, driverLabels } from './labels';
import { DEFAULT_OVERHEAD_FACTOR, defaultOverheadFactor, driverMemory } from './memory-resources';
import { driverPorts } from './ports';

const PULL_POLICY = 'spark.kubernetes.container.image.pullPolicy';

/** Name, image, ports, environment and resources of the driver; labels and annotations of its Pod (BasicDriverFeatureStep). */
export const basicDriver: FeatureStep = (conf, { pod, container }) => {
  const name = conf.conf.text(DRIVER_POD_NAME) ?? `${conf.identity.resourcePrefix}-driver`;
  const annotations = driverAnnotations(conf);
  return {
    pod: {
      pod: {
        ...pod,
        metadata: {
          ...pod.metadata,
          name,
          labels: { ...pod.metadata.labels, ...driverLabels(conf) },
          ...(isEmpty(annotations) ? {} : { annotations: { ...pod.metadata.annotations, ...annotations } }),
        },
        spec: { ...pod.spec, restartPolicy: 'Never', ...placement(conf) },
      },
      container: driverContainer(conf, container),
    },
    properties: {
      [DRIVER_POD_NAME]: name,
      'spark.app.id': conf.identity.applicationId,
      'spark.kubernetes.submitInDriver': 'true',
      [DEFAULT_OVERHEAD_FACTOR]: defaultOverheadFactor(conf),
    },
  };
};

function driverContainer(conf: DriverConf, container: Container): Container {
  return {
    ...container,
    name: container.name || DRIVER_CONTAINER,
    image: image(conf),
    imagePullPolicy: conf.conf.oneOf(PULL_POLICY, ['Always', 'Never', 'IfNotPresent'], 'IfNotPresent'),
    ports: [
      ...container.ports ?? [],
      ...driverPorts(conf).map(({ name, port }) => ({ name, containerPort: port, protocol: 'TCP' as const })),
    ],
    env: [...container.env ?? [], ...environment(conf)],
    resources: resources(conf),
    ...securityContext(conf),
  };
}

function image({ conf, version }: DriverConf): string {
  const given = conf.text('spark.kubernetes.driver.container.image', 'spark.kubernetes.container.image');
  if (!given) {
    throw new SubmissionError({ field: 'spec.image', reason: 'is missing', remedy: 'name the image of driver and executors, such as apache/spark:4.1.1' });
  }
  return version.features.versionInImage ? given.replaceAll('{{SPARK_VERSION}}', version.text) : given;
}

/** Spark leaves duplicates in: of two variables with the same name Kubernetes takes the later. */
function environment({ properties, identity, sparkUser }: DriverConf): EnvVar[] {
  return [
    { name: 'SPARK_USER', value: sparkUser },
    { name: 'SPARK_APPLICATION_ID', value: identity.applicationId },
    ...properties.withPrefix('spark.kubernetes.driverEnv.').map(([name, value]) => ({ name, value })),
    { name: 'SPARK_DRIVER_BIND_ADDRESS', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
  ];
}

function resources(driver: DriverConf): { requests: StringMap; limits: StringMap } {
  const memory = `${driverMemory(driver)}Mi`;
  const cores = driver.conf.count('spark.driver.cores', 1);
  const cpuLimit = driver.conf.text('spark.kubernetes.driver.limit.cores');
  return {
    requests: { cpu: driver.conf.text('spark.kubernetes.driver.request.cores') ?? String(cores), memory },
    limits: { ...(cpuLimit === undefined ? {} : { cpu: cpuLimit }), memory },
  };
}

function securityContext({ conf, version }: DriverConf): Pick<Container, 'securityContext'> {
  if (!version.features.allowPrivilegeEscalation) {
    return {};
  }
  const keys = ['spark.kubernetes.driver.securityContext.allowPrivilegeEscalation', 'spark.kubernetes.securityContext.allowPrivilegeEscalation'];
  return { securityContext: { allowPrivilegeEscalation: conf.boolean(keys, false) } };
}

/** Where the pod may run and what it is pulled and scheduled with. What is not set stays out. */
function placement({ conf, properties }: DriverConf): Pick<PodSpec, 'nodeSelector' | 'imagePullSecrets' | 'schedulerName'> {
  const nodeSelector = Object.fromEntries([
    ...properties.withPrefix('spark.kubernetes.node.selector.'),
    ...properties.withPrefix('spark.kubernetes.driver.node.selector.'),
  ]);
  const pullSecrets = conf.list('spark.kubernetes.container.image.pullSecrets');
  const scheduler = conf.text('spark.kubernetes.driver.scheduler.name', 'spark.kubernetes.scheduler.name');
  return {
    ...(isEmpty(nodeSelector) ? {} : { nodeSelector }),
    ...(pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets.map(name => ({ name })) }),
    ...(scheduler === undefined ? {} : { schedulerName: scheduler }),
  };
}

function isEmpty(map: StringMap): boolean {
  return Object.keys(map).length === 0;
}
