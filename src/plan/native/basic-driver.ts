import { DRIVER_CONTAINER } from '../../api/labels';
import type { Container, EnvVar, PodSpec, ResourceRequirements, StringMap } from '../../model/kubernetes-objects';
import { DRIVER_POD_NAME } from '../../model/spec-facts';
import type { DriverConf } from './driver-conf';
import { driverResources } from './driver-resources';
import type { DriverContainer, FeatureStep } from './feature-step';
import { driverAnnotations, driverLabels } from './labels';
import { OVERHEAD_FACTOR } from '../container-memory';
import { missingImage } from '../properties/images';
import { defaultOverheadFactor, driverMemory } from './memory-resources';
import { driverPorts } from './ports';
import { quantity } from './quantity';
import { sparkUserName } from './spark-user';

const PULL_POLICY = 'spark.kubernetes.container.image.pullPolicy';
const CORES = 'spark.driver.cores';
const CORES_REQUEST = 'spark.kubernetes.driver.request.cores';
const CORES_LIMIT = 'spark.kubernetes.driver.limit.cores';

/**
 * Sets name, image, ports, environment and resources of the driver, and labels and annotations of
 * its Pod (BasicDriverFeatureStep).
 */
export const basicDriver: FeatureStep = (conf, { pod, container }) => {
  const name = podName(conf);
  return {
    pod: {
      pod: {
        ...pod,
        metadata: {
          ...pod.metadata,
          name,
          labels: { ...pod.metadata.labels, ...driverLabels(conf) },
          ...unlessEmpty('annotations', { ...pod.metadata.annotations, ...driverAnnotations(conf) }),
        },
        spec: { ...pod.spec, restartPolicy: 'Never', ...placement(conf, pod.spec) },
      },
      container: driverContainer(conf, container),
    },
    properties: {
      [DRIVER_POD_NAME]: name,
      'spark.app.id': conf.identity.applicationId,
      'spark.kubernetes.submitInDriver': 'true',
      [OVERHEAD_FACTOR]: defaultOverheadFactor(conf),
    },
  };
};

function podName({ conf, identity }: DriverConf): string {
  const name = conf.text(DRIVER_POD_NAME) ?? `${identity.resourcePrefix}-driver`;
  if (name === '') {
    throw conf.wrong(DRIVER_POD_NAME, 'is empty', 'write a name, or remove it');
  }
  return name;
}

function driverContainer(conf: DriverConf, container: DriverContainer): Container {
  return {
    ...container,
    name: container.name ?? DRIVER_CONTAINER,
    image: image(conf),
    imagePullPolicy: conf.conf.oneOf(PULL_POLICY, ['Always', 'Never', 'IfNotPresent'], 'IfNotPresent'),
    ports: [
      ...container.ports ?? [],
      ...driverPorts(conf).map(({ name, containerPort }) => ({ name, containerPort, protocol: 'TCP' })),
    ],
    env: [...container.env ?? [], ...environment(conf)],
    resources: resources(conf, container.resources),
    ...securityContext(conf, container),
  };
}

function image({ conf, version }: DriverConf): string {
  const given = conf.text('spark.kubernetes.driver.container.image', 'spark.kubernetes.container.image');
  if (!given) throw missingImage('driver', version.text);
  return version.features.versionInImage ? given.replaceAll('{{SPARK_VERSION}}', () => version.text) : given;
}

/**
 * Returns the environment. As in Spark, it can contain duplicates; Kubernetes uses the last
 * variable of a name.
 */
function environment(conf: DriverConf): EnvVar[] {
  return [
    { name: 'SPARK_USER', value: sparkUserName(conf) },
    { name: 'SPARK_APPLICATION_ID', value: conf.identity.applicationId },
    ...conf.properties.withPrefix('spark.kubernetes.driverEnv.').map(([name, value]) => ({ name, value })),
    { name: 'SPARK_DRIVER_BIND_ADDRESS', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
  ];
}

/**
 * Returns the resources. Those of the template that Spark does not set remain, such as ephemeral
 * storage.
 */
function resources(driver: DriverConf, template: ResourceRequirements | undefined): ResourceRequirements {
  const { conf, properties } = driver;
  const memory = `${driverMemory(driver)}Mi`;
  const cores = (key: string) => {
    const value = conf.text(key);
    return value === undefined ? undefined : quantity(value, properties.fieldOf(key));
  };
  const limit = cores(CORES_LIMIT);
  return {
    ...template,
    requests: { ...template?.requests, cpu: cores(CORES_REQUEST) ?? String(conf.rawCount(CORES, 'cores') ?? 1), memory },
    limits: { ...template?.limits, ...(limit === undefined ? {} : { cpu: limit }), memory, ...driverResources(driver) },
  };
}

function securityContext({ conf, version }: DriverConf, container: DriverContainer): Pick<Container, 'securityContext'> {
  if (!version.features.allowPrivilegeEscalation) {
    return {};
  }
  const keys = [
    'spark.kubernetes.driver.securityContext.allowPrivilegeEscalation', 'spark.kubernetes.securityContext.allowPrivilegeEscalation',
  ];
  return { securityContext: { ...container.securityContext, allowPrivilegeEscalation: conf.boolean(keys, false) } };
}

/**
 * Returns node selector, pull secrets and scheduler of the pod. Those that are not set remain as in
 * the template.
 */
function placement({ conf, properties }: DriverConf, template: PodSpec): Partial<PodSpec> {
  const nodeSelector = Object.fromEntries([
    ...Object.entries(template.nodeSelector ?? {}),
    ...properties.withPrefix('spark.kubernetes.node.selector.'),
    ...properties.withPrefix('spark.kubernetes.driver.node.selector.'),
  ]);
  const pullSecrets = [
    ...template.imagePullSecrets ?? [], ...conf.list('spark.kubernetes.container.image.pullSecrets').map(name => ({ name })),
  ];
  const scheduler = conf.text('spark.kubernetes.driver.scheduler.name', 'spark.kubernetes.scheduler.name');
  return {
    ...unlessEmpty('nodeSelector', nodeSelector),
    ...(pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets }),
    ...(scheduler === undefined ? {} : { schedulerName: scheduler }),
  };
}

function unlessEmpty<K extends string>(key: K, map: StringMap): { [key in K]?: { [name: string]: string } } {
  return Object.keys(map).length === 0 ? {} : { [key]: map } as { [key in K]: { [name: string]: string } };
}
