import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chart, Duration, JsonPatch, Size, Testing } from 'cdk8s';
import { problemsOf, synthesized } from './synthesis';
import {
  BatchScheduler, DynamicAllocation, ImagePullPolicy, LocalDir, LocalDirMedium, Monitoring, RestartPolicy, SecretType, ServiceType, SparkApplication, SparkApplicationProps,
  SparkApplicationType, SparkMemory, SparkRole,
} from '../../src';
import { CompiledPackage } from '../../tools/generate/assembly';
import { planOf } from '../plan/application';

const PYTHON: SparkApplicationProps = {
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
};

function application(props: Partial<SparkApplicationProps> = {}, chart: Chart = Testing.chart()): SparkApplication {
  return new SparkApplication(chart, 'pi', { metadata: { name: 'pi' }, ...PYTHON, ...props });
}

function manifestOf(app: SparkApplication) {
  return synthesized(app)[0];
}

function specOf(props: Partial<SparkApplicationProps>) {
  return manifestOf(application(props)).spec;
}

/** Returns the problems that a synthesis reports about an application, without its path. */
function refusals(app: SparkApplication): string[] {
  return problemsOf(app).map((problem) => problem.replace('[test/pi] ', ''));
}

test('defaults: the image of the Spark version, cluster mode, the service account that SparkOperator creates', () => {
  expect(manifestOf(application())).toEqual({
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name: 'pi' },
    spec: {
      type: 'Python',
      mode: 'cluster',
      sparkVersion: '4.1.1',
      image: 'apache/spark:4.1.1',
      mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
      driver: { serviceAccount: 'spark' },
      executor: {},
    },
  });
});

test('fields with the same name in the manifest are kept', () => {
  const same: Partial<SparkApplicationProps> = {
    type: SparkApplicationType.SCALA,
    mainApplicationFile: 'local:///job.jar',
    mainClass: 'org.example.Job',
    image: 'registry.example.org/job:1',
    imagePullPolicy: ImagePullPolicy.ALWAYS,
    imagePullSecrets: ['registry'],
    arguments: ['--day', '2026-03-01'],
    sparkConf: { 'spark.sql.shuffle.partitions': '400' },
    hadoopConf: { 'fs.s3a.path.style.access': 'true' },
    sparkConfigMap: 'spark-conf',
    hadoopConfigMap: 'hadoop-conf',
    deps: { packages: ['org.example:lib:1'], repositories: ['https://repo.example.org'], jars: ['local:///a.jar'], files: ['https://x/f'], archives: ['https://x/a.zip#a'] },
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    nodeSelector: { disk: 'ssd' },
    driverPodDisruptionBudget: true,
    proxyUser: 'alice',
    suspend: true,
  };
  expect(specOf(same)).toMatchObject(same);
});

test('sizes, durations and factories are converted', () => {
  expect(specOf({
    memoryOverheadFactor: 0.25,
    activeDeadline: Duration.hours(2),
    timeToLive: Duration.days(1),
    restartPolicy: RestartPolicy.onFailure({ retries: 3, interval: Duration.minutes(1) }),
    dynamicAllocation: DynamicAllocation.between(2, 20),
    monitoring: Monitoring.prometheusServlet(),
    batchScheduler: BatchScheduler.volcano({ queue: 'etl' }),
    ui: { port: 80, serviceType: ServiceType.LOAD_BALANCER, ingressTls: [{ hosts: ['ui.example.org'], secretName: 'ui-tls' }] },
    driverIngresses: [{ port: 7777, url: '{{$appName}}.example.org/api' }],
    driver: { memory: Size.mebibytes(1536), memoryOverhead: Size.mebibytes(512), memoryLimit: SparkMemory.parse('3g') },
    executor: { instances: 4, cores: 2, coreRequest: '0', memory: Size.gibibytes(4), terminationGracePeriod: Duration.minutes(2) },
  })).toMatchObject({
    memoryOverheadFactor: '0.25',
    activeDeadlineSeconds: 7200,
    timeToLiveSeconds: 86400,
    restartPolicy: { type: 'OnFailure', onFailureRetries: 3, onFailureRetryInterval: 60 },
    dynamicAllocation: { enabled: true, minExecutors: 2, maxExecutors: 20 },
    monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheusServlet: true },
    batchScheduler: 'volcano',
    batchSchedulerOptions: { queue: 'etl' },
    sparkUIOptions: { servicePort: 80, serviceType: 'LoadBalancer', ingressTLS: [{ hosts: ['ui.example.org'], secretName: 'ui-tls' }] },
    driverIngressOptions: [{ servicePort: 7777, servicePortName: 'driver-ing-7777', ingressURLFormat: '{{$appName}}.example.org/api' }],
    driver: { memory: '1536m', memoryOverhead: '512m', memoryLimit: '3g' },
    executor: { instances: 4, cores: 2, coreRequest: '0', memory: '4g', terminationGracePeriodSeconds: 120 },
  });
});

test('variables, secrets and ports of a pod', () => {
  const { driver } = specOf({
    driver: {
      env: { STAGE: 'test' },
      secretEnv: { DB_PASSWORD: { name: 'db', key: 'password' } },
      extraEnv: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
      secrets: [{ name: 'gcp', path: '/mnt/gcp', type: SecretType.GCP_SERVICE_ACCOUNT }, { name: 'other', path: '/mnt/other' }],
      ports: [{ name: 'api', port: 7777 }],
    },
  });
  expect(driver).toMatchObject({
    env: [
      { name: 'STAGE', value: 'test' },
      { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
      { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    ],
    secrets: [{ name: 'gcp', path: '/mnt/gcp', secretType: 'GCPServiceAccount' }, { name: 'other', path: '/mnt/other', secretType: 'Generic' }],
    ports: [{ name: 'api', containerPort: 7777, protocol: 'TCP' }],
  });
  expect(driver).not.toHaveProperty('secretEnv');
});

test('defaults do not take precedence over properties and templates', () => {
  const spec = specOf({
    sparkConf: { 'spark.kubernetes.container.image': 'registry.example.org/spark:2' },
    driver: { template: { spec: { serviceAccountName: 'etl' } } },
  });
  expect(spec).not.toHaveProperty('image');
  expect(spec.driver).toEqual({ template: { spec: { serviceAccountName: 'etl' } } });
});

test('an image by property for one role keeps the default for the other', () => {
  const spec = specOf({ sparkConf: { 'spark.kubernetes.driver.container.image': 'registry.example.org/driver:2' } });
  expect(spec).not.toHaveProperty('image');
  expect(spec.driver).not.toHaveProperty('image');
  expect(spec.executor.image).toBe('apache/spark:4.1.1');
});

test("ports and quantities get Kubernetes' form, in templates too", () => {
  const probe = { httpGet: { port: '8080' } };
  const { driver, executor } = specOf({
    driver: { sidecars: [{ name: 'proxy', livenessProbe: probe, resources: { limits: { cpu: 1 as any, memory: '64Mi' } } }] },
    executor: { template: { spec: { containers: [{ name: 'spark-kubernetes-executor', readinessProbe: probe, resources: { limits: { cpu: 2 as any } } }] } } },
  });
  expect(driver.sidecars).toMatchObject([{ livenessProbe: { httpGet: { port: 8080 } }, resources: { limits: { cpu: '1', memory: '64Mi' } } }]);
  expect(executor.template.spec.containers).toEqual([{ name: 'spark-kubernetes-executor', readinessProbe: { httpGet: { port: 8080 } }, resources: { limits: { cpu: '2' } } }]);
});

test('later additions apply to driver and executors, or to the named ones', () => {
  const app = application({ driver: { env: { STAGE: 'test' } }, sparkConf: { 'spark.eventLog.enabled': 'false' } });
  app.mountSecret('keystore', '/mnt/keystore');
  app.mountConfigMap('tables', '/mnt/tables', { roles: [SparkRole.EXECUTOR] });
  app.addVolume({ name: 'data', persistentVolumeClaim: { claimName: 'data' } }, '/data', { readOnly: true });
  app.addVolume({ name: 'data', persistentVolumeClaim: { claimName: 'data' } }, '/old', { subPath: 'old', roles: [SparkRole.DRIVER] });
  app.addEnv('STAGE', 'production');
  app.addSecretEnv('TOKEN', 'api', 'token', { roles: [SparkRole.DRIVER] });
  app.addSparkConf('spark.eventLog.enabled', 'true');
  app.runAs('etl');

  const data = { name: 'data', mountPath: '/data', readOnly: true };
  const secrets = [{ name: 'keystore', path: '/mnt/keystore', secretType: 'Generic' }];
  expect(manifestOf(app).spec).toMatchObject({
    sparkConf: { 'spark.eventLog.enabled': 'true' },
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    driver: {
      serviceAccount: 'etl',
      secrets,
      volumeMounts: [data, { name: 'data', mountPath: '/old', subPath: 'old' }],
      env: [{ name: 'STAGE', value: 'production' }, { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'api', key: 'token' } } }],
    },
    executor: { serviceAccount: 'etl', secrets, volumeMounts: [data], configMaps: [{ name: 'tables', path: '/mnt/tables' }], env: [{ name: 'STAGE', value: 'production' }] },
  });
});

test("methods do not change the user's props", () => {
  const props = { sparkConf: {}, volumes: [], driver: { secrets: [] } };
  const app = application(props);
  app.addSparkConf('a', 'b');
  app.addVolume({ name: 'data', emptyDir: {} }, '/data');
  app.mountSecret('s', '/s');
  expect(props).toEqual({ sparkConf: {}, volumes: [], driver: { secrets: [] } });
});

test('local directories: a folder of the node, memory, claims that Spark creates', () => {
  const app = application();
  app.useLocalDirs(LocalDir.hostPath('/fast', { path: '/scratch' }), LocalDir.onDemandClaim({ storageClassName: 'ssd', size: Size.gibibytes(100) }));
  app.useLocalDirs(LocalDir.volume({ name: 'any', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } }));
  const { spec } = manifestOf(app);
  const mounts = [{ name: 'spark-local-dir-1', mountPath: '/scratch' }, { name: 'spark-local-dir-3', mountPath: '/var/data/spark-local-dir-3' }];
  const claim = (role: string) => ({
    [`spark.kubernetes.${role}.volumes.persistentVolumeClaim.spark-local-dir-2.mount.path`]: '/var/data/spark-local-dir-2',
    [`spark.kubernetes.${role}.volumes.persistentVolumeClaim.spark-local-dir-2.mount.readOnly`]: 'false',
    [`spark.kubernetes.${role}.volumes.persistentVolumeClaim.spark-local-dir-2.options.claimName`]: 'OnDemand',
    [`spark.kubernetes.${role}.volumes.persistentVolumeClaim.spark-local-dir-2.options.storageClass`]: 'ssd',
    [`spark.kubernetes.${role}.volumes.persistentVolumeClaim.spark-local-dir-2.options.sizeLimit`]: '100Gi',
  });
  expect(spec.volumes).toMatchObject([{ name: 'spark-local-dir-1', hostPath: { path: '/fast' } }, { name: 'spark-local-dir-3', ephemeral: {} }]);
  expect(spec.driver.volumeMounts).toEqual(mounts);
  expect(spec.executor.volumeMounts).toEqual(mounts);
  expect(spec.sparkConf).toEqual({ ...claim('driver'), ...claim('executor') });
});

test('the operator accepts and understands the result', () => {
  const app = application({ metadata: { name: 'pi', namespace: 'jobs' }, driver: { memory: Size.gibibytes(2), memoryOverhead: Size.mebibytes(512), memoryLimit: Size.gibibytes(3) } });
  app.useLocalDirs(LocalDir.onDemandClaim({ storageClassName: 'ssd', size: Size.gibibytes(10) }), LocalDir.emptyDir({ medium: LocalDirMedium.MEMORY }));
  app.mountSecret('keystore', '/mnt/keystore');
  app.addSecretEnv('TOKEN', 'api', 'token');
  const { metadata, spec } = manifestOf(app);
  const { resources, driver, warnings } = planOf({ metadata: { uid: 'uid-1', ...metadata }, spec });

  const [container] = driver.spec.containers;
  expect(warnings).toEqual([]);
  expect(resources.find(({ kind }) => kind === 'PersistentVolumeClaim')).toMatchObject({ spec: { storageClassName: 'ssd', resources: { requests: { storage: '10Gi' } } } });
  expect(driver.spec.volumes).toEqual(expect.arrayContaining([
    { name: 'spark-local-dir-1', persistentVolumeClaim: expect.anything() }, { name: 'spark-local-dir-2', emptyDir: { medium: 'Memory' } },
  ]));
  expect(container!.volumeMounts!.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(['/var/data/spark-local-dir-1', '/var/data/spark-local-dir-2', '/mnt/keystore']));
  expect(container!.env).toEqual(expect.arrayContaining([
    { name: 'SPARK_LOCAL_DIRS', value: '/var/data/spark-local-dir-2,/var/data/spark-local-dir-1' },
    { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'api', key: 'token' } } },
  ]));
  expect(container!.resources).toMatchObject({ requests: { memory: '2560Mi' }, limits: { memory: '3Gi' } });
});

test('names for references from other charts', () => {
  const app = application({ driverIngresses: [{ port: 7777 }] });
  expect([app.name, app.driverPodName, app.uiServiceName, app.driverServiceName(7777)]).toEqual(['pi', 'pi-driver', 'pi-ui-svc', 'pi-driver-7777']);
  expect(() => app.driverServiceName(8888)).toThrow('SparkApplication at test/pi: driverServiceName: port = 8888 has no Service: add it to driverIngresses');
  const unnamed = new SparkApplication(Testing.chart(), 'job', PYTHON);
  expect(manifestOf(unnamed).metadata.name).toBe(unnamed.name);
});

test('all props that the manifest cannot hold are reported', () => {
  expect(refusals(application({
    type: SparkApplicationType.JAVA,
    activeDeadline: Duration.seconds(0),
    timeToLive: Duration.millis(500),
    driver: { env: { A: '1' }, extraEnv: [{ name: 'A' }] },
    executor: { memory: Size.kibibytes(1), memoryOverhead: Size.mebibytes(1.5), terminationGracePeriod: Duration.millis(1) },
  }))).toEqual([
    'mainClass is missing; a Java application needs the name of its main class',
    'activeDeadline = "0 s" must be whole seconds, at least 1',
    'timeToLive = "500 ms" must be whole seconds, at least 0',
    'driver.env[A] is set twice, in env, secretEnv or extraEnv: remove one of them',
    'executor.memory = "1Ki" must be whole MiB, at least 1, because Spark measures memory in MiB: write Size.mebibytes(512) or Size.gibibytes(4)',
    'executor.memoryOverhead = "1.5Mi" must be whole MiB, at least 0, because Spark measures memory in MiB: write Size.mebibytes(512) or Size.gibibytes(4)',
    'executor.terminationGracePeriod = "1 ms" must be whole seconds, at least 0',
  ]);
});

test('the whole is checked at synth, with the names of props', () => {
  const app = application({
    mainApplicationFile: '',
    ui: { port: 0 },
    driverIngresses: [{ port: 7777, url: 'a.example.org' }, { port: 7777, url: 'a.example.org' }],
    batchScheduler: BatchScheduler.named('mine'),
    nodeSelector: { disk: 'ssd' },
    driver: { cores: 0, nodeSelector: { disk: 'ssd' }, ports: [{ name: 'api', port: 70000 }], extraEnv: [{ name: 'A', valueFrom: { fieldRef: {} as any } }] },
    executor: { instances: 1.5, coreRequest: 'half' },
    sparkConf: { 'spark.master': 'local[2]' },
  });
  const found = refusals(app);
  expect(found).toEqual(expect.arrayContaining([
    'mainApplicationFile = "" must not be empty',
    'ui.port = 0 must be at least 1',
    'driver.cores = 0 must be at least 1',
    'driver.ports[0].port = 70000 must be at most 65535',
    'driver.env[A].valueFrom.fieldRef.fieldPath is required',
    'executor.instances = 1.5 must be a whole number',
    'executor.coreRequest = "half" must be a quantity such as 500m, 2 or 4Gi',
    'driverIngresses each port must occur only once',
    'driverIngresses each url must occur only once',
    'sparkConf spark.master is not allowed in sparkConf: a driver uses the API server of its own cluster; remove it',
  ]));
  expect(found.join()).not.toMatch(/\bspec\.|IngressOptions|containerPort|servicePort/);
});

test('values that methods repair are accepted, and those that they break are rejected', () => {
  const mended = application({ driver: { volumeMounts: [{ name: 'data', mountPath: '/data' }] } });
  expect(refusals(mended)).toEqual(['driver.volumeMounts must name entries of volumes']);
  mended.addVolume({ name: 'data', emptyDir: {} }, '/data', { roles: [SparkRole.EXECUTOR] });
  expect(manifestOf(mended).spec.volumes).toHaveLength(1);

  const broken = application();
  broken.mountSecret('a', '/mnt');
  broken.mountSecret('b', '/mnt');
  expect(refusals(broken)[0]).toBe('executor.secrets[1] is mounted at /mnt, where Spark also mounts the Secret a; choose another path');
  expect(() => mended.addVolume({ name: 'data', hostPath: { path: '/' } }, '/root')).toThrow('addVolume: volume.name = "data" is the name of another volume');
});

test('combinations with which Spark does not start', () => {
  expect(refusals(application({
    driver: { javaOptions: '-XX:+UseG1GC -Xmx2g' },
    executor: { javaOptions: '-Dspark.foo=1' },
    dynamicAllocation: DynamicAllocation.upTo(3, { shuffleTracking: false }),
    volumes: [{ name: 'a', emptyDir: {} }, { name: 'a', emptyDir: {} }],
  }))).toEqual([
    'volumes[1].name = "a" is the name of another volume: choose another name',
    'driver.javaOptions = "-Xmx2g" must not have -Xmx, which Spark rejects; set driver.memory',
    'executor.javaOptions = "-Dspark.foo" must not have properties of Spark, which Spark rejects; write them in sparkConf',
    expect.stringContaining('dynamicAllocation.shuffleTracking = "false" is false, and nothing else keeps shuffle data, with which Spark does not start; remove it, or set in sparkConf spark.decommission.enabled and'),
  ]);
});

test("the example in the construct's documentation", () => {
  const found = refusals(application({ driver: { cores: 2, coreLimit: '1' }, executor: { javaOptions: '-Xmx2g' } }));
  const page = readFileSync(join(__dirname, '../../docs/reference/constructs/spark-application.md'), 'utf8');
  expect(found).toHaveLength(2);
  for (const line of found) expect(page).toContain(`\n  [etl/daily] ${line}\n`);
});

test("another namespace in sparkConf is rejected, if the application's namespace is known", () => {
  const sparkConf = { 'spark.kubernetes.namespace': 'team-b' };
  expect(refusals(application({ metadata: { namespace: 'team-a' }, sparkConf }))).toEqual([
    'sparkConf[spark.kubernetes.namespace] = "team-b" is not the namespace of the application, team-a; remove it, or create the application in the other namespace',
  ]);
  expect(specOf({ metadata: { namespace: 'team-b' }, sparkConf })).toMatchObject({ sparkConf });
  expect(specOf({ sparkConf })).toMatchObject({ sparkConf });
});

test('the message omits values that might be secrets', () => {
  const sparkConf = { 'spark.hadoop.fs.s3a.secret.key': 12345, 'spark.ssl.keyPassword': 54321 } as any;
  const found = refusals(application({ sparkConf, driver: { env: { PIN: 24680 as any }, extraEnv: [{ name: 'DB_PASSWORD', value: 67890 as any }] } })).join('\n');
  expect(found).toContain('sparkConf[spark.hadoop.fs.s3a.secret.key] must be a string, in quotes');
  expect(found).toContain('driver.env[DB_PASSWORD].value must be a string, in quotes');
  expect(found).not.toMatch(/12345|54321|24680|67890/);
});

test('patches of the resource are checked', () => {
  const app = application();
  app.resource.addJsonPatch(JsonPatch.add('/spec/driver/cores', 0));
  expect(refusals(app)).toEqual(['driver.cores = 0 must be at least 1']);
});

test.each([
  ['SparkApplicationProps', 'SparkApplicationSpec', {
    activeDeadlineSeconds: 'activeDeadline',
    timeToLiveSeconds: 'timeToLive',
    sparkUIOptions: 'ui',
    driverIngressOptions: 'driverIngresses',
    batchSchedulerOptions: 'batchScheduler',
    mode: 'there is one: cluster',
    pythonVersion: 'there is one: 3',
    failureRetries: 'has no effect',
    retryInterval: 'has no effect',
  }],
  ['SparkDriverProps', 'DriverSpec', { envVars: 'env', envSecretKeyRefs: 'secretEnv', terminationGracePeriodSeconds: 'terminationGracePeriod' }],
  ['SparkExecutorProps', 'ExecutorSpec', {
    envVars: 'env', envSecretKeyRefs: 'secretEnv', terminationGracePeriodSeconds: 'terminationGracePeriod', memoryLimit: 'Spark itself sets the limit of executors',
  }],
  ['DriverIngress', 'DriverIngressConfiguration', { servicePort: 'port', servicePortName: 'portName', ingressURLFormat: 'url', ingressTLS: 'ingressTls' }],
  ['SparkUIOptions', 'SparkUIConfiguration', { servicePort: 'port', servicePortName: 'portName', ingressTLS: 'ingressTls' }],
])('%s has a prop for each field of %s', (props, spec, otherNames: { [field: string]: string }) => {
  const pkg = new CompiledPackage(join(__dirname, '../..'));
  const namesOf = (struct: string) => pkg.properties(pkg.typeNamed(struct)).map(({ name }) => name);
  const missing = namesOf(spec).filter((name) => !namesOf(props).includes(name));

  expect(missing.sort()).toEqual(Object.keys(otherNames).sort());
});
