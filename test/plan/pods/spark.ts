import type { Container, EnvVar, PodSpec } from '../../../src/k8s';
import { sparkContainer } from '../../../src/plan/pods/container';
import type { PodCustomization, PodTemplate } from '../../../src/plan/pods/pod-template';

/** Spark's memory and overhead that the tests assume. */
export const SPARK_MEMORY = '1408Mi';

/**
 * Builds a pod from a template as Spark 4.3 does, as far as these tests need: a test double of
 * BasicDriverFeatureStep, BasicExecutorFeatureStep and later steps. Spark's container is the last
 * one, and Spark's settings follow the template's.
 */
export function asSpark<T extends PodTemplate>(
  template: T, { role, container: name, properties }: PodCustomization,
): T & { spec: PodSpec } {
  const spec = template.spec ?? { containers: [] };
  const base = sparkContainer(spec, { container: name }) ?? { name };
  const property = (...keys: string[]) => keys.map(key => properties.get(key)).find(value => value !== undefined);
  const decommission = role === 'executor' && property('spark.decommission.enabled') === 'true';
  const account = property(
    `spark.kubernetes.authenticate.${role}.serviceAccountName`, 'spark.kubernetes.authenticate.driver.serviceAccountName',
  );
  const scheduler = property(`spark.kubernetes.${role}.scheduler.name`, 'spark.kubernetes.scheduler.name');
  const configuration = `spark-conf-volume-${role === 'driver' ? 'driver' : 'exec'}`;
  const container: Container = {
    ...base,
    name: base.name || name,
    image: property(`spark.kubernetes.${role}.container.image`),
    imagePullPolicy: property('spark.kubernetes.container.image.pullPolicy') ?? 'IfNotPresent',
    args: [...base.args ?? [], role],
    env: [...base.env ?? [], ...variables(role, properties)],
    ports: [...base.ports ?? [], ...(role === 'driver'
      ? [{ name: 'driver-rpc-port', containerPort: 7078, protocol: 'TCP' }, { name: 'blockmanager', containerPort: 7079, protocol: 'TCP' },
        { name: 'spark-ui', containerPort: 4040, protocol: 'TCP' }]
      : [{ name: 'blockmanager', containerPort: 7079 }])],
    resources: {
      ...base.resources,
      requests: { ...base.resources?.requests, cpu: '1', memory: SPARK_MEMORY },
      limits: { ...base.resources?.limits, memory: SPARK_MEMORY, ...gpus(role, properties) },
    },
    ...(decommission ? { lifecycle: { preStop: { exec: { command: ['/opt/decom.sh'] } } } } : {}),
    securityContext: {
      ...base.securityContext,
      allowPrivilegeEscalation: property(`spark.kubernetes.${role}.securityContext.allowPrivilegeEscalation`) === 'true',
    },
    volumeMounts: [...base.volumeMounts ?? [], { name: configuration, mountPath: '/opt/spark/conf' }],
  };
  return {
    ...template,
    spec: {
      ...spec,
      containers: [...(spec.containers ?? []).filter(other => other !== base), container],
      restartPolicy: 'Never',
      ...(scheduler === undefined ? {} : { schedulerName: scheduler }),
      ...(role === 'executor' ? {
        terminationGracePeriodSeconds: parseInt(property('spark.kubernetes.executor.terminationGracePeriodSeconds') ?? '30', 10),
      } : {}),
      nodeSelector: {
        ...spec.nodeSelector,
        ...Object.fromEntries(properties.withPrefix('spark.kubernetes.node.selector.')),
        ...Object.fromEntries(properties.withPrefix(`spark.kubernetes.${role}.node.selector.`)),
      },
      ...(account === undefined || (role === 'executor' && spec.serviceAccount) ? {} : {
        serviceAccount: account, serviceAccountName: account,
      }),
      volumes: [...spec.volumes ?? [], { name: configuration, configMap: { name: 'spark-configuration' } }],
    },
  };
}

function variables(role: PodCustomization['role'], properties: PodCustomization['properties']): EnvVar[] {
  const environment = properties.withPrefix(role === 'driver'
    ? 'spark.kubernetes.driverEnv.'
    : 'spark.executorEnv.').map(([name, value]) => ({ name, value }));
  const secrets = properties.withPrefix(`spark.kubernetes.${role}.secretKeyRef.`).map(([variable, ref]) => {
    const [name, key] = ref.split(':');
    return { name: variable, valueFrom: { secretKeyRef: { name: name!, key: key! } } };
  });
  const directory = { name: 'SPARK_CONF_DIR', value: '/opt/spark/conf' };
  return [
    { name: 'SPARK_USER', value: 'spark' },
    ...(role === 'executor' ? [directory] : []),
    ...environment,
    ...secrets,
    ...(role === 'driver' ? [directory] : []),
  ];
}

function gpus(role: PodCustomization['role'], properties: PodCustomization['properties']): { [name: string]: string } {
  const amount = properties.get(`spark.${role}.resource.gpu.amount`);
  return amount === undefined ? {} : { [`${properties.get(`spark.${role}.resource.gpu.vendor`)}/gpu`]: amount };
}
