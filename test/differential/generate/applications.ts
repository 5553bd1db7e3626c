import fc from 'fast-check';
import { RestartPolicyType } from '../../../src/api/restart-policy';
import { DeployMode, ImagePullPolicy, PythonVersion, SparkApplicationType } from '../../../src/api/spark-application';
import type { MonitoringSpec, PrometheusSpec } from '../../../src/api/monitoring';
import type { Dependencies } from '../../../src/api/dependencies';
import type { DynamicAllocationSpec } from '../../../src/api/dynamic-allocation';
import type { SparkApplicationSpec } from '../../../src/api/spark-application';
import { ServiceType } from '../../../src/api/driver-exposure';
import type { SparkPodSpec } from '../../../src/api/spark-pod';
import type { SubmittedApplication } from '../../../src/plan/properties/properties';
import { DRIVER_FIELDS, EXECUTOR_FIELDS, VOLUMES, manifestText } from './pods';
import type { Fields } from './pods';
import { labelName, word } from './texts';

/** Fields that together select the program to run. */
const MAIN = ['type', 'mainApplicationFile', 'mainClass', 'sparkVersion'] as const;

/** Includes each field in a quarter of the cases: with more fields, most applications would contradict themselves. */
const partly = <T extends object>(fields: Fields<T>): fc.Arbitrary<Partial<T>> => fc.record(Object.fromEntries(Object.entries(fields as Record<string, fc.Arbitrary<unknown>>)
  .map(([field, arbitrary]) => [field, fc.oneof({ withCrossShrink: true }, { weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })])))
  .map((values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>);

const list = (...items: string[]) => fc.subarray(items, { minLength: 1 });

const DEPENDENCIES: Fields<Dependencies> = {
  jars: list('local:///opt/a.jar', 'https://r.example/b.jar', 's3a://bucket/c.jar'),
  files: list('local:///opt/f.txt', 'https://r.example/g.txt'),
  pyFiles: list('local:///opt/p.py', 'https://r.example/q.zip'),
  archives: list('https://r.example/env.tgz#env', 's3a://bucket/e.zip'),
  packages: list('org.example:alpha:1.0.0', 'com.acme:connector:0.9.1-rc1'),
  excludePackages: list('org.example:gamma', 'com.acme:delta'),
  repositories: list('https://repo.example/m2'),
};

const DYNAMIC_ALLOCATION: Fields<DynamicAllocationSpec> = {
  enabled: fc.boolean(),
  initialExecutors: fc.constantFrom(1, 2),
  minExecutors: fc.constantFrom(0, 1),
  maxExecutors: fc.constantFrom(5, 10),
  shuffleTrackingEnabled: fc.boolean(),
  shuffleTrackingTimeout: fc.constantFrom(1000, 60_000),
};

const PROMETHEUS: Fields<PrometheusSpec> = {
  jmxExporterJar: fc.constantFrom('/prometheus/exporter.jar'),
  port: fc.constant(8099),
  portName: fc.constant('metrics'),
  configFile: fc.constant('/etc/exporter.yaml'),
  configuration: fc.constant('lowercaseOutputName: true\n'),
};

const MONITORING: Fields<MonitoringSpec> = {
  exposeDriverMetrics: fc.boolean(),
  exposeExecutorMetrics: fc.boolean(),
  metricsProperties: fc.constant('*.sink.jmx.class=org.apache.spark.metrics.sink.JmxSink\n'),
  metricsPropertiesFile: fc.constant('/etc/metrics.properties'),
  prometheus: fc.record(PROMETHEUS, { requiredKeys: ['jmxExporterJar'] }),
  prometheusServlet: fc.boolean(),
};

const SPEC: Omit<Fields<SparkApplicationSpec>, (typeof MAIN)[number] | 'driver' | 'executor'> = {
  mode: fc.constantFrom(DeployMode.CLUSTER, DeployMode.CLIENT),
  suspend: fc.constant(false),
  proxyUser: fc.constantFrom('bob', 'alice'),
  image: fc.constantFrom('apache/spark:x', 'registry:5000/spark'),
  imagePullPolicy: fc.constantFrom(ImagePullPolicy.ALWAYS, ImagePullPolicy.IF_NOT_PRESENT, ImagePullPolicy.NEVER),
  imagePullSecrets: list('one', 'two'),
  arguments: fc.array(manifestText, { minLength: 1, maxLength: 3 }),
  sparkConf: fc.dictionary(
    fc.constantFrom('spark.eventLog.enabled', 'spark.ui.port', 'spark.kubernetes.driverEnv.FROM_CONF', 'spark.kubernetes.driver.volumes.emptyDir.conf.mount.path', 'spark.driver.port'),
    fc.constantFrom('4041', '7100', '5000'), { minKeys: 1, maxKeys: 3 },
  ).map(({ 'spark.driver.port': driver, 'spark.ui.port': ui, ...conf }) => ({ ...conf, ...(driver && { 'spark.driver.port': '7100' }), ...(ui && { 'spark.ui.port': '4041' }) })),
  hadoopConf: fc.dictionary(fc.constantFrom('fs.s3a.endpoint', 'a.b'), manifestText, { minKeys: 1 }),
  sparkConfigMap: fc.constant('spark-conf'),
  hadoopConfigMap: fc.constant('hadoop-conf'),
  volumes: fc.constant(Object.values(VOLUMES) as unknown as NonNullable<SparkApplicationSpec['volumes']>),
  deps: partly(DEPENDENCIES),
  restartPolicy: fc.constant({ type: RestartPolicyType.NEVER }),
  nodeSelector: fc.dictionary(fc.constantFrom('zone', 'arch'), word, { minKeys: 1 }),
  failureRetries: fc.constant(1),
  retryInterval: fc.constant(1),
  pythonVersion: fc.constant(PythonVersion.PYTHON3),
  memoryOverheadFactor: fc.constantFrom('0.1', '0.25', '0.4'),
  monitoring: fc.record(MONITORING, { requiredKeys: ['exposeDriverMetrics', 'exposeExecutorMetrics', 'prometheus'] }),
  batchScheduler: fc.constantFrom('volcano', 'yunikorn'),
  batchSchedulerOptions: fc.record({ queue: word }),
  activeDeadlineSeconds: fc.constant(3600),
  timeToLiveSeconds: fc.constant(60),
  sparkUIOptions: fc.record({ servicePort: fc.constant(4040), serviceType: fc.constant(ServiceType.CLUSTER_IP) }),
  driverIngressOptions: fc.constant([{ servicePort: 4040, servicePortName: 'ui' }]),
  dynamicAllocation: partly(DYNAMIC_ALLOCATION),
  driverPodDisruptionBudget: fc.boolean(),
  fastStart: fc.constantFrom('none', 'auto', '/opt/app/fast-start'),
};

const main = fc.constantFrom(
  { type: SparkApplicationType.SCALA, mainApplicationFile: 'local:///opt/app.jar', mainClass: 'org.example.Main' },
  { type: SparkApplicationType.JAVA, mainApplicationFile: 's3a://bucket/app.jar', mainClass: 'Main' },
  { type: SparkApplicationType.PYTHON, mainApplicationFile: 'local:///opt/app.py' },
  { type: SparkApplicationType.PYTHON, mainApplicationFile: 'https://r.example/app.py' },
);

/** Fields that the operator itself puts onto the driver, as Spark has no property for them. */
const CUSTOMIZING: readonly (keyof SparkPodSpec)[] = [
  'memoryLimit', 'gpu', 'configMaps', 'env', 'envFrom', 'volumeMounts', 'affinity', 'tolerations', 'podSecurityContext', 'securityContext', 'schedulerName', 'sidecars', 'initContainers',
  'hostNetwork', 'nodeSelector', 'dnsConfig', 'terminationGracePeriodSeconds', 'hostAliases', 'shareProcessNamespace', 'lifecycle', 'ports', 'priorityClassName',
];
const CUSTOMIZING_ALL: readonly (keyof SparkApplicationSpec)[] = ['sparkConfigMap', 'hadoopConfigMap', 'monitoring', 'batchScheduler'];

/** Whether the driver is what Spark makes of properties and template, and nothing more. */
export function isPlain({ spec }: SubmittedApplication): boolean {
  return CUSTOMIZING.every((field) => spec.driver[field] === undefined) && CUSTOMIZING_ALL.every((field) => spec[field] === undefined);
}

function plain(given: SubmittedApplication): SubmittedApplication {
  const without = <T extends object>(object: T, fields: readonly (keyof T)[]) => (
    Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field as keyof T))) as T
  );
  return { ...given, spec: { ...without(given.spec, CUSTOMIZING_ALL), driver: without(given.spec.driver, CUSTOMIZING) } };
}

/** A SparkApplication with any of the fields, of a version of Spark. In one of three the driver is plain. */
export const application = (sparkVersion: string): fc.Arbitrary<SubmittedApplication> => (
  fc.oneof({ weight: 2, arbitrary: anyApplication(sparkVersion) }, { weight: 1, arbitrary: anyApplication(sparkVersion).map(plain) })
);

const anyApplication = (sparkVersion: string): fc.Arbitrary<SubmittedApplication> => fc.record({
  name: fc.constantFrom('pi', 'my-app.v2', 'long-'.repeat(12).slice(0, 59)),
  labels: fc.oneof(fc.constant(undefined), fc.dictionary(labelName, word, { minKeys: 1, maxKeys: 2 })),
  main,
  spec: partly(SPEC as Fields<SparkApplicationSpec>),
  driver: partly(DRIVER_FIELDS),
  executor: partly(EXECUTOR_FIELDS),
}).map(({ name, labels, main: run, spec, driver, executor }): SubmittedApplication => ({
  metadata: { name, namespace: 'jobs', uid: 'a7b0b9f2-3f0b-4c86-8b7a-5a5a0c1d2e3f', generation: 1, ...(labels === undefined ? {} : { labels }) },
  spec: {
    image: 'apache/spark:default',
    ...spec,
    ...run,
    // Mounted volumes must exist.
    ...(driver.volumeMounts || executor.volumeMounts ? { volumes: Object.values(VOLUMES) as unknown as NonNullable<SparkApplicationSpec['volumes']> } : {}),
    sparkVersion,
    driver,
    executor,
  },
}));

const paths = (prefix: string, fields: object) => Object.keys(fields).map((field) => `${prefix}${field}`);

/** The paths of all fields. */
export const FIELDS: readonly string[] = [
  'metadata.labels',
  ...MAIN.map((field) => `spec.${field}`),
  ...paths('spec.', SPEC),
  ...paths('spec.deps.', DEPENDENCIES),
  ...paths('spec.dynamicAllocation.', DYNAMIC_ALLOCATION),
  ...paths('spec.monitoring.', MONITORING),
  ...paths('spec.monitoring.prometheus.', PROMETHEUS),
  ...paths('spec.driver.', DRIVER_FIELDS),
  ...paths('spec.executor.', EXECUTOR_FIELDS),
];

/** The paths of the fields that an application has. */
export function fieldsOf(given: SubmittedApplication): string[] {
  return FIELDS.filter((path) => path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], given) !== undefined);
}
