import type { Container, EnvVar, PodSpec, Volume, VolumeMount } from '../../src/k8s';
import { sparkContainer } from '../../src/plan/pods/container';
import type { PodTemplate } from '../../src/plan/pods/pod-template';
import type { PreparedSubmission } from '../../src/plan/prepare';

interface Parts {
  readonly env?: readonly EnvVar[];
  readonly volumes?: readonly Volume[];
  readonly mounts?: readonly VolumeMount[];
}

/**
 * The first executor as Spark's driver builds it from a template (KubernetesExecutorBuilder, of the
 * default resource profile): the steps in Spark's order, each after what is there.
 */
export function executorOf(template: PodTemplate, prepared: PreparedSubmission): any {
  const { properties, version: { features }, identity } = prepared;
  const get = (...keys: string[]) => keys.map((key) => properties.get(key)).find((value) => value !== undefined);
  const isOn = (key: string) => get(key)?.trim().toLowerCase() === 'true';
  const map = (prefix: string) => Object.fromEntries(properties.withPrefix(prefix));
  const spec = template.spec!;
  const base = sparkContainer(spec, { container: get('spark.kubernetes.executor.podTemplateContainerName')! }) ?? { name: '' };
  const memory = `${executorMemory(prepared)}Mi`;
  const port = Number(get('spark.blockManager.port') ?? 7079);
  const limit = get('spark.kubernetes.executor.limit.cores');
  const scheduler = get('spark.kubernetes.executor.scheduler.name', 'spark.kubernetes.scheduler.name');
  const metadata = template.metadata as { readonly labels?: object; readonly annotations?: object } | undefined;

  let pod: PodSpec = {
    ...spec,
    hostname: 'pi-exec-1',
    restartPolicy: 'Never',
    ...(features.connectPort && { terminationGracePeriodSeconds: parseInt(get('spark.kubernetes.executor.terminationGracePeriodSeconds') ?? '30', 10) }), // 4.1
    nodeSelector: { ...spec.nodeSelector, ...map('spark.kubernetes.node.selector.'), ...map('spark.kubernetes.executor.node.selector.') },
    imagePullSecrets: [...spec.imagePullSecrets ?? [], ...(get('spark.kubernetes.container.image.pullSecrets')?.split(',') ?? []).map((name) => ({ name }))],
    ...(scheduler === undefined ? {} : { schedulerName: scheduler }),
  };
  let container: Container = {
    ...base,
    name: base.name || 'spark-kubernetes-executor',
    image: get('spark.kubernetes.executor.container.image', 'spark.kubernetes.container.image'),
    imagePullPolicy: get('spark.kubernetes.container.image.pullPolicy') ?? 'IfNotPresent',
    resources: {
      ...base.resources,
      requests: { ...base.resources?.requests, memory, cpu: get('spark.kubernetes.executor.request.cores', 'spark.executor.cores')! },
      limits: { ...base.resources?.limits, memory, ...customResources(properties.withPrefix('spark.executor.resource.')), ...(limit === undefined ? {} : { cpu: limit }) },
    },
    args: [...base.args ?? [], 'executor'],
    ports: [...base.ports ?? [], ...(port === 0 ? [] : [{ name: 'blockmanager', containerPort: port }])],
    ...(isOn('spark.decommission.enabled') && { lifecycle: { preStop: { exec: { command: ['/opt/decom.sh'] } } } }),
    ...(features.allowPrivilegeEscalation && {
      securityContext: {
        ...base.securityContext,
        allowPrivilegeEscalation: get('spark.kubernetes.executor.securityContext.allowPrivilegeEscalation', 'spark.kubernetes.securityContext.allowPrivilegeEscalation') === 'true',
      },
    }),
  };
  const add = ({ env = [], volumes = [], mounts = [] }: Parts) => {
    pod = { ...pod, volumes: [...pod.volumes ?? [], ...volumes] };
    container = { ...container, env: [...container.env ?? [], ...env], volumeMounts: [...container.volumeMounts ?? [], ...mounts] };
  };

  add({ env: environment(prepared) });
  if (!isOn('spark.kubernetes.executor.disableConfigMap')) {
    add({ volumes: [{ name: 'spark-conf-volume-exec', configMap: { name: 'spark-exec-1-conf-map' } }], mounts: [{ name: 'spark-conf-volume-exec', mountPath: '/opt/spark/conf' }] });
  }
  const account = get('spark.kubernetes.authenticate.executor.serviceAccountName', 'spark.kubernetes.authenticate.driver.serviceAccountName');
  if (!pod.serviceAccount && account !== undefined) pod = { ...pod, serviceAccount: account, serviceAccountName: account };
  for (const [secretName, mountPath] of properties.withPrefix('spark.kubernetes.executor.secrets.')) {
    add({ volumes: [{ name: `${secretName}-volume`, secret: { secretName } }], mounts: [{ name: `${secretName}-volume`, mountPath }] });
  }
  add({
    env: properties.withPrefix('spark.kubernetes.executor.secretKeyRef.').map(([variable, reference]) => {
      const [name, key] = reference.split(':') as [string, string];
      return { name: variable, valueFrom: { secretKeyRef: { name, key } } };
    }),
  });
  for (const [key, mountPath] of properties.withPrefix('spark.kubernetes.executor.volumes.')) {
    const name = /^[^.]+[.]([^.]+)[.]mount[.]path$/.exec(key)?.[1];
    if (name !== undefined) add({ volumes: [{ name, emptyDir: {} }], mounts: [{ name, mountPath, readOnly: false, subPath: '' }] });
  }
  // The driver gets it from its own step, under another key.
  const hadoop = get('spark.kubernetes.hadoop.configMapName', 'spark.kubernetes.executor.hadoopConfigMapName');
  if (hadoop !== undefined) {
    add({
      volumes: [{ name: 'hadoop-properties', configMap: { name: hadoop } }], mounts: [{ name: 'hadoop-properties', mountPath: '/opt/hadoop/conf' }], env: [{ name: 'HADOOP_CONF_DIR', value: '/opt/hadoop/conf' }],
    });
  }
  const isLocal = ({ name }: VolumeMount) => name.startsWith('spark-local-dir-');
  if (!container.volumeMounts?.some(isLocal)) {
    (get('spark.local.dir') ?? '/var/data/spark-1').split(',').forEach((mountPath, index) => add({
      volumes: [{ name: `spark-local-dir-${index + 1}`, emptyDir: {} }], mounts: [{ name: `spark-local-dir-${index + 1}`, mountPath }],
    }));
  }
  add({ env: [{ name: 'SPARK_LOCAL_DIRS', value: container.volumeMounts!.filter(isLocal).map(({ mountPath }) => mountPath).join(',') }] });

  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      name: `${identity.resourcePrefix}-exec-1`,
      labels: { ...metadata?.labels, ...map('spark.kubernetes.executor.label.'), 'spark-role': 'executor', 'spark-exec-id': '1', 'spark-app-selector': identity.applicationId },
      annotations: { ...metadata?.annotations, ...map('spark.kubernetes.executor.annotation.') },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'pi-driver', uid: 'driver', controller: true }],
    },
    // Spark's container comes last (KubernetesClusterManager, ExecutorPodsAllocator).
    spec: { ...pod, containers: [...(spec.containers ?? []).filter((other) => other !== base), container] },
  };
}

/**
 * Memory in MiB as ResourceProfile.getResourcesForClusterManager adds it up; of Python only for
 * applications in Python.
 */
function executorMemory({ properties, application: { type }, version: { features } }: PreparedSubmission): number {
  const bytes = (text: string, unit: number) => Number(/^\s*\d+/.exec(text)![0]) * ({ b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 }[/[bkmgt]/i.exec(text)?.[0].toLowerCase() ?? ''] ?? unit);
  const mebibytes = (key: string) => (properties.has(key) ? Math.trunc(bytes(properties.get(key)!, 2 ** 20) / 2 ** 20) : undefined);
  const heap = mebibytes('spark.executor.memory') ?? 1024;
  const factor = Number(properties.get('spark.executor.memoryOverheadFactor') ?? properties.get('spark.kubernetes.memoryOverheadFactor') ?? (type === 'java' ? 0.1 : 0.4));
  const least = (features.minMemoryOverhead ? mebibytes('spark.executor.minMemoryOverhead') : undefined) ?? 384;
  const overhead = mebibytes('spark.executor.memoryOverhead') ?? Math.max(Math.trunc(factor * heap), least);
  const offHeap = properties.get('spark.memory.offHeap.enabled') === 'true' ? Math.floor(bytes(properties.get('spark.memory.offHeap.size') ?? '0', 1) / 2 ** 20) : 0;
  return heap + overhead + (type === 'python' ? mebibytes('spark.executor.pyspark.memory') ?? 0 : 0) + offHeap;
}

/**
 * The variables of BasicExecutorFeatureStep: SPARK_USER, its own, those of properties, and again
 * its own.
 */
function environment({ properties, identity, context }: PreparedSubmission): EnvVar[] {
  const value = (name: string, text: string | undefined): EnvVar[] => (text === undefined ? [] : [{ name, value: text }]);
  const field = (name: string, fieldPath: string): EnvVar => ({ name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } });
  const hasLogUrl = properties.has('spark.ui.custom.executor.log.url');
  return [
    ...value('SPARK_USER', context.sparkUser),
    ...value('SPARK_DRIVER_URL', 'spark://CoarseGrainedScheduler@pi-driver-svc.jobs.svc:7078'),
    ...value('SPARK_EXECUTOR_CORES', properties.get('spark.executor.cores')),
    ...value('SPARK_EXECUTOR_MEMORY', '1024m'),
    ...value('SPARK_APPLICATION_ID', identity.applicationId),
    ...value('SPARK_CONF_DIR', '/opt/spark/conf'),
    ...value('SPARK_EXECUTOR_ID', '1'),
    ...value('SPARK_RESOURCE_PROFILE_ID', '0'),
    ...(hasLogUrl ? [...value('SPARK_EXECUTOR_ATTRIBUTE_APP_ID', identity.applicationId), ...value('SPARK_EXECUTOR_ATTRIBUTE_EXECUTOR_ID', '1')] : []),
    ...properties.withPrefix('spark.executorEnv.').map(([name, text]) => ({ name, value: text })),
    ...value('SPARK_CLASSPATH', properties.get('spark.executor.extraClassPath')),
    ...value('SPARK_JAVA_OPT_0', '-Dspark.driver.port=7078'),
    field('SPARK_EXECUTOR_POD_IP', 'status.podIP'),
    field('SPARK_EXECUTOR_POD_NAME', 'metadata.name'),
  ];
}

/** `spark.executor.resource.<name>.amount` and `.vendor`. */
function customResources(entries: readonly (readonly [string, string])[]): { [name: string]: string } {
  const values = new Map(entries);
  return Object.fromEntries(entries.flatMap(([key, amount]) => {
    const name = /^(.+)\.amount$/.exec(key)?.[1];
    return name === undefined ? [] : [[`${values.get(`${name}.vendor`)}/${name}`, amount] as const];
  }));
}
