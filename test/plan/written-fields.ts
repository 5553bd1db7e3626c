import type { Role } from '../../src/plan/properties/role';

/** A field of an application, with a value that occurs nowhere else. */
export interface WrittenField {
  /** How warnings and errors call it, or what it is part of. */
  readonly field: string;
  /**
   * The application's part with this field in it; parts are merged. `mark` is a number of four
   * digits.
   */
  readonly part: (mark: number) => object;
}

const ROLES: readonly Role[] = ['driver', 'executor'];

/**
 * All fields that say something about what is created, also the ways in which Spark properties and
 * templates say the same.
 */
export const WRITTEN_FIELDS: readonly WrittenField[] = [
  ...applicationFields(),
  ...ROLES.flatMap((role) => [...podFields(role), ...templateFields(role), ...confFields(role)]),
];

function applicationFields(): WrittenField[] {
  const field = (name: string, spec: (mark: number) => object): WrittenField => ({ field: `spec.${name}`, part: (mark) => ({ spec: spec(mark) }) });
  const conf = (key: string, value: (mark: number) => string): WrittenField => ({ field: `spec.sparkConf[${key}]`, part: (mark) => ({ spec: { sparkConf: { [key]: value(mark) } } }) });
  return [
    { field: 'metadata.labels[both]', part: (mark) => ({ metadata: { labels: { both: `m${mark}` } } }) },
    field('image', (mark) => ({ image: `image:${mark}` })),
    field('imagePullSecrets', (mark) => ({ imagePullSecrets: [`pull-${mark}`] })),
    field('arguments', (mark) => ({ arguments: [`argument-${mark}`] })),
    field('proxyUser', (mark) => ({ proxyUser: `user${mark}` })),
    field('hadoopConf[fs.x]', (mark) => ({ hadoopConf: { 'fs.x': `hadoop-${mark}` } })),
    field('sparkConfigMap', (mark) => ({ sparkConfigMap: `spark-conf-${mark}` })),
    field('hadoopConfigMap', (mark) => ({ hadoopConfigMap: `hadoop-conf-${mark}` })),
    field('deps.jars', (mark) => ({ deps: { jars: [`https://r/${mark}.jar`] } })),
    field('deps.files', (mark) => ({ deps: { files: [`https://r/${mark}.txt`] } })),
    field('deps.pyFiles', (mark) => ({ deps: { pyFiles: [`https://r/${mark}.zip`] } })),
    field('deps.packages', (mark) => ({ deps: { packages: [`g:a:${mark}`] } })),
    field('deps.archives', (mark) => ({ deps: { archives: [`https://r/${mark}.tgz`] } })),
    field('nodeSelector', (mark) => ({ nodeSelector: { disk: `disk-${mark}` } })),
    field('fastStart', (mark) => ({ fastStart: `/opt/fast-${mark}` })),
    field('memoryOverheadFactor', (mark) => ({ memoryOverheadFactor: `0.${mark}` })),
    field('batchScheduler', (mark) => ({ batchScheduler: `scheduler-${mark}` })),
    field('dynamicAllocation.initialExecutors', (mark) => ({ dynamicAllocation: { enabled: true, initialExecutors: mark } })),
    field('dynamicAllocation.maxExecutors', (mark) => ({ dynamicAllocation: { enabled: true, maxExecutors: mark } })),
    field('dynamicAllocation', (mark) => ({ dynamicAllocation: { shuffleTrackingTimeout: mark } })),
    field('monitoring.prometheus', (mark) => ({
      monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: `/agent-${mark}.jar` } },
    })),
    field('executor.instances', (mark) => ({ executor: { instances: mark } })),
    field('driver.podName', (mark) => ({ driver: { podName: `pod-${mark}` } })),
    field('driver.kubernetesMaster', (mark) => ({ driver: { kubernetesMaster: `https://api-${mark}` } })),
    field('driver.serviceLabels[l]', (mark) => ({ driver: { serviceLabels: { l: `label-${mark}` } } })),
    field('driver.serviceAnnotations[a]', (mark) => ({ driver: { serviceAnnotations: { a: `note-${mark}` } } })),
    conf('spark.app.name', (mark) => `name-${mark}`),
    conf('spark.jars', (mark) => `https://r/conf-${mark}.jar`),
    conf('spark.files', (mark) => `https://r/conf-${mark}.txt`),
    conf('spark.submit.pyFiles', (mark) => `https://r/conf-${mark}.zip`),
    conf('spark.hadoop.fs.x', (mark) => `conf-${mark}`),
    conf('spark.kubernetes.container.image', (mark) => `conf:${mark}`),
    conf('spark.kubernetes.container.image.pullSecrets', (mark) => `conf-pull-${mark}`),
    conf('spark.kubernetes.driver.pod.name', (mark) => `conf-pod-${mark}`),
    conf('spark.kubernetes.memoryOverheadFactor', (mark) => `0.${mark}`),
    conf('spark.kubernetes.node.selector.disk', (mark) => `conf-${mark}`),
    conf('spark.kubernetes.scheduler.name', (mark) => `conf-scheduler-${mark}`),
    conf('spark.kubernetes.driver.service.label.l', (mark) => `conf-${mark}`),
    conf('spark.executor.instances', (mark) => String(mark)),
    conf('spark.dynamicAllocation.maxExecutors', (mark) => String(mark)),
    conf('spark.metrics.conf', (mark) => `/metrics-${mark}`),
    conf('spark.local.dir', (mark) => `/local-${mark}`),
    conf('spark.ui.port', (mark) => String(mark)),
    conf('spark.kubernetes.hadoop.configMapName', (mark) => `conf-hadoop-${mark}`),
  ];
}

function podFields(role: Role): WrittenField[] {
  const field = (name: string, pod: (mark: number) => object, application: object = {}): WrittenField => (
    { field: `spec.${role}.${name}`, part: (mark) => ({ spec: { ...application, [role]: pod(mark) } }) }
  );
  return [
    field('cores', (mark) => ({ cores: mark })),
    field('coreRequest', (mark) => ({ coreRequest: `${mark}m` })),
    field('coreLimit', (mark) => ({ coreLimit: `${mark}` })),
    field('memory', (mark) => ({ memory: `${mark}m` })),
    field('memoryOverhead', (mark) => ({ memoryOverhead: `${mark}m` })),
    ...(role === 'driver' ? [field('memoryLimit', (mark) => ({ memoryLimit: `9${mark}Mi` }))] : [field('memoryLimit', (mark) => ({ memoryLimit: `${mark}Gi` }))]),
    field('gpu', (mark) => ({ gpu: { name: 'nvidia.com/gpu', quantity: mark } })),
    field('image', (mark) => ({ image: `image:${mark}` })),
    field('configMaps[0]', (mark) => ({ configMaps: [{ name: `map-${mark}`, path: '/map' }] })),
    field('secrets[0]', (mark) => ({ secrets: [{ name: `secret-${mark}`, path: `/secret-${mark}`, secretType: 'GCPServiceAccount' }] })),
    field('env', (mark) => ({ env: [{ name: 'VARIABLE', value: `value-${mark}` }] })),
    field('envVars[VARIABLE]', (mark) => ({ envVars: { VARIABLE: `value-${mark}` } })),
    field('envVars[GOOGLE_APPLICATION_CREDENTIALS]', (mark) => ({ envVars: { GOOGLE_APPLICATION_CREDENTIALS: `value-${mark}` } })),
    field('envSecretKeyRefs[VARIABLE]', (mark) => ({ envSecretKeyRefs: { VARIABLE: { name: `ref-${mark}`, key: 'k' } } })),
    field('envFrom', (mark) => ({ envFrom: [{ secretRef: { name: `from-${mark}` } }] })),
    field('labels[both]', (mark) => ({ labels: { both: `label-${mark}` } })),
    field('annotations[a]', (mark) => ({ annotations: { a: `note-${mark}` } })),
    field('volumeMounts', (mark) => ({ volumeMounts: [{ name: 'data', mountPath: `/data-${mark}` }] }), { volumes: [{ name: 'data', emptyDir: {} }] }),
    field('volumeMounts', (mark) => ({ volumeMounts: [{ name: 'spark-local-dir-1', mountPath: `/dir-${mark}` }] }), { volumes: [{ name: 'spark-local-dir-1', emptyDir: {} }] }),
    field('affinity', (mark) => ({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: `key-${mark}` }] } } })),
    field('tolerations', (mark) => ({ tolerations: [{ key: `taint-${mark}` }] })),
    field('podSecurityContext', (mark) => ({ podSecurityContext: { runAsUser: mark } })),
    field('securityContext', (mark) => ({ securityContext: { runAsUser: mark } })),
    field('schedulerName', (mark) => ({ schedulerName: `scheduler-${mark}` })),
    field('sidecars', (mark) => ({ sidecars: [{ name: `sidecar-${mark}`, image: 'x' }] })),
    field('initContainers', (mark) => ({ initContainers: [{ name: `init-${mark}`, image: 'x' }] })),
    field('nodeSelector', (mark) => ({ nodeSelector: { disk: `node-${mark}` } })),
    field('dnsConfig', (mark) => ({ dnsConfig: { searches: [`search-${mark}`] } })),
    field('terminationGracePeriodSeconds', (mark) => ({ terminationGracePeriodSeconds: mark })),
    field('serviceAccount', (mark) => ({ serviceAccount: `account-${mark}` })),
    field('hostAliases', (mark) => ({ hostAliases: [{ ip: '10.0.0.1', hostnames: [`host-${mark}`] }] })),
    field('javaOptions', (mark) => ({ javaOptions: `-Dx=${mark}` })),
    field('lifecycle', (mark) => ({ lifecycle: { preStop: { exec: { command: [`stop-${mark}`] } } } })),
    field('ports', (mark) => ({ ports: [{ name: 'extra', protocol: 'TCP', containerPort: mark }] })),
    field('priorityClassName', (mark) => ({ priorityClassName: `priority-${mark}` })),
  ];
}

function templateFields(role: Role): WrittenField[] {
  const metadata = (name: string, part: (mark: number) => object): WrittenField => (
    { field: `spec.${role}.template.metadata.${name}`, part: (mark) => ({ spec: { [role]: { template: { metadata: part(mark) } } } }) }
  );
  const spec = (name: string, part: (mark: number) => object): WrittenField => (
    { field: `spec.${role}.template.spec.${name}`, part: (mark) => ({ spec: { [role]: { template: { spec: part(mark) } } } }) }
  );
  const container = (name: string, part: (mark: number) => object): WrittenField => ({
    field: `spec.${role}.template.spec.containers[0].${name}`,
    part: (mark) => ({ spec: { [role]: { template: { spec: { containers: [{ name: `spark-kubernetes-${role}`, ...part(mark) }] } } } } }),
  });
  return [
    metadata('labels', (mark) => ({ labels: { both: `template-${mark}` } })),
    metadata('annotations', (mark) => ({ annotations: { a: `template-${mark}` } })),
    spec('affinity', (mark) => ({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: `key-${mark}`, operator: 'Exists' }] }] } } } })),
    spec('schedulerName', (mark) => ({ schedulerName: `template-${mark}` })),
    spec('priorityClassName', (mark) => ({ priorityClassName: `template-${mark}` })),
    spec('nodeSelector', (mark) => ({ nodeSelector: { disk: `template-${mark}` } })),
    spec('serviceAccountName', (mark) => ({ serviceAccountName: `template-${mark}` })),
    spec('securityContext', (mark) => ({ securityContext: { runAsGroup: mark } })),
    spec('dnsConfig', (mark) => ({ dnsConfig: { nameservers: ['10.0.0.1'], searches: [`template-${mark}`] } })),
    spec('terminationGracePeriodSeconds', (mark) => ({ terminationGracePeriodSeconds: mark })),
    spec('runtimeClassName', (mark) => ({ runtimeClassName: `class-${mark}` })),
    spec('volumes', (mark) => ({ volumes: [{ name: 'data', configMap: { name: `template-${mark}` } }] })),
    container('image', (mark) => ({ image: `template:${mark}` })),
    container('env', (mark) => ({ env: [{ name: 'VARIABLE', value: `template-${mark}` }] })),
    container('resources', (mark) => ({ resources: { limits: { memory: `${mark}Mi` } } })),
    container('resources', (mark) => ({ resources: { requests: { cpu: `${mark}` } } })),
    container('resources', (mark) => ({ resources: { limits: { 'nvidia.com/gpu': `${mark}` } } })),
    container('securityContext', (mark) => ({ securityContext: { runAsGroup: mark } })),
    container('lifecycle', (mark) => ({ lifecycle: { postStart: { exec: { command: [`template-${mark}`] } } } })),
    spec('containers[0].volumeMounts', (mark) => ({
      volumes: [{ name: 'spark-local-dir-2', emptyDir: {} }],
      containers: [{ name: `spark-kubernetes-${role}`, volumeMounts: [{ name: 'spark-local-dir-2', mountPath: `/template-${mark}` }] }],
    })),
    container('args', (mark) => ({ args: [`template-${mark}`] })),
  ];
}

function confFields(role: Role): WrittenField[] {
  const environment = role === 'driver' ? 'spark.kubernetes.driverEnv' : 'spark.executorEnv';
  const conf = (key: string, value: (mark: number) => string): WrittenField => ({ field: `spec.sparkConf[${key}]`, part: (mark) => ({ spec: { sparkConf: { [key]: value(mark) } } }) });
  return [
    conf(`spark.${role}.cores`, (mark) => String(mark)),
    conf(`spark.${role}.memory`, (mark) => `${mark}m`),
    conf(`spark.${role}.memoryOverhead`, (mark) => `${mark}m`),
    conf(`spark.${role}.extraClassPath`, (mark) => `/opt/${mark}.jar`),
    conf(`spark.${role}.extraJavaOptions`, (mark) => `-Dconf=${mark}`),
    conf(`spark.kubernetes.${role}.request.cores`, (mark) => String(mark)),
    conf(`spark.kubernetes.${role}.limit.cores`, (mark) => String(mark)),
    conf(`spark.kubernetes.${role}.container.image`, (mark) => `conf:${mark}`),
    conf(`spark.kubernetes.${role}.label.both`, (mark) => `conf-${mark}`),
    conf(`spark.kubernetes.${role}.annotation.a`, (mark) => `conf-${mark}`),
    conf(`spark.kubernetes.${role}.secretKeyRef.VARIABLE`, (mark) => `conf-${mark}:k`),
    conf(`spark.kubernetes.${role}.node.selector.disk`, (mark) => `conf-${mark}`),
    conf(`spark.kubernetes.${role}.scheduler.name`, (mark) => `conf-${mark}`),
    conf(`spark.kubernetes.${role}.volumes.emptyDir.data.mount.path`, (mark) => `/conf-${mark}`),
    conf(`${environment}.VARIABLE`, (mark) => `conf-${mark}`),
  ];
}
