import { Chart, Duration, Size, Testing } from 'cdk8s';
import { problemsOf, synthesized } from './synthesis';
import {
  ApiSparkConnect, DynamicAllocation, LocalDir, ServiceType, SparkConnect, SparkRole, type SparkConnectProps, SparkConnectRestartPolicy,
} from '../../src';

const connect = (props: Partial<SparkConnectProps> = {}) => new SparkConnect(
  new Chart(Testing.app(), 'test', { namespace: 'team-a' }), 'notebooks',
  { metadata: { name: 'notebooks' }, sparkVersion: '4.1.1', ...props },
);
const specOf = (props: Partial<SparkConnectProps> = {}) => synthesized(connect(props))[0].spec;

test('defaults: the image of the Spark version, and the service account that SparkOperator creates', () => {
  expect(specOf()).toEqual({
    sparkVersion: '4.1.1',
    image: 'apache/spark:4.1.1',
    server: { template: { spec: { containers: [], serviceAccountName: 'spark' } } },
    executor: {},
  });
});

test('all props', () => {
  expect(specOf({
    image: 'registry.example.org/spark:1',
    server: {
      cores: 2, memory: Size.gibibytes(4), serviceAccount: 'notebooks',
      template: { spec: { priorityClassName: 'interactive' } },
      service: { name: 'connect', type: ServiceType.LOAD_BALANCER, labels: { a: 'b' }, annotations: { c: 'd' } },
    },
    executor: {
      instances: 3, cores: 4, memory: Size.gibibytes(8), template: {
        spec: { nodeSelector: { pool: 'spark' } },
      },
    },
    dynamicAllocation: DynamicAllocation.between(1, 10),
    sparkConf: { 'spark.sql.shuffle.partitions': '64' },
    hadoopConf: { 'fs.s3a.endpoint': 'https://s3.example.org' },
    restartPolicy: SparkConnectRestartPolicy.always({
      interval: Duration.seconds(10), maxInterval: Duration.minutes(2), resetAfter: Duration.minutes(5),
    }),
    suspend: true,
    idleTimeToLive: Duration.hours(2),
    ui: { port: 80, ingressAnnotations: { e: 'f' } },
  })).toMatchObject({
    image: 'registry.example.org/spark:1',
    server: {
      cores: 2, memory: '4g', template: { spec: { serviceAccountName: 'notebooks', priorityClassName: 'interactive' } },
      service: { metadata: { name: 'connect', labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { type: 'LoadBalancer' } },
    },
    executor: { instances: 3, cores: 4, memory: '8g', template: { spec: { nodeSelector: { pool: 'spark' } } } },
    dynamicAllocation: { enabled: true, minExecutors: 1, maxExecutors: 10 },
    restartPolicy: { type: 'Always', interval: 10, backoff: { type: 'Exponential', maxInterval: 120, resetAfter: 300 } },
    suspend: true,
    idleTimeToLiveSeconds: 7200,
    sparkUIOptions: { servicePort: 80, ingressAnnotations: { e: 'f' } },
  });
});

test('the address for clients', () => {
  expect(connect().url).toBe('sc://notebooks-server.team-a:15002');
  expect(connect({ server: { service: { name: 'connect' } } }).url).toBe('sc://connect.team-a:15002');
  expect(connect({ metadata: { name: 'team.notebooks' }, server: { service: { name: 'connect' } } }).serviceName).toBe('connect');
});

test.each(['1notebooks', 'team.notebooks'])('the name %s is rejected, because no Service can be named after it', (name) => {
  const reason = 'must begin with a letter and have no dots, as the Service of its server is called <name>-server: choose another name, or name the Service in';
  expect(() => synthesized(connect({ metadata: { name } }))).toThrow(`metadata.name = "${name}" ${reason} server.service.name`);
  const spec = { sparkVersion: '4.1.1', image: 'i', server: {}, executor: {} };
  expect(() => synthesized(new ApiSparkConnect(
    Testing.chart(), 'a', { metadata: { name }, spec },
  ))).toThrow(`metadata.name = "${name}" ${reason} spec.server.service.metadata.name`);
});

test('defaults do not take precedence over other settings', () => {
  const container = (name: string) => ({ spec: { containers: [{ name, image: 'i' }] } });
  expect(specOf({
    server: { template: container('spark-kubernetes-driver') }, executor: { template: container('spark-kubernetes-executor') },
  })).not.toHaveProperty('image');
  expect(specOf({ sparkConf: { 'spark.kubernetes.container.image': 'i' } })).not.toHaveProperty('image');
  expect(specOf({
    server: { template: { spec: { serviceAccountName: 'other' } } },
  }).server.template.spec.serviceAccountName).toBe('other');
});

test('problems are reported with the names of props', () => {
  expect(problemsOf(connect({ server: { cores: 0, service: { name: 'A' } }, executor: { instances: -1 }, ui: { port: 0 } }))).toEqual([
    '[test/notebooks] executor.instances = -1 must be at least 0',
    '[test/notebooks] server.cores = 0 must be at least 1',
    '[test/notebooks] server.service.name = "A" must be the name of a Service: lower-case letters, digits and -, a letter first',
    '[test/notebooks] ui.port = 0 must be at least 1',
  ]);
  expect(() => synthesized(connect({
    idleTimeToLive: Duration.seconds(0), executor: { memory: Size.mebibytes(100) },
  }))).toThrow(/idleTimeToLive = "0 s" must be whole seconds, at least 1/);
  expect(() => SparkConnectRestartPolicy.always({
    interval: Duration.minutes(10),
  })).toThrow('SparkConnectRestartPolicy.always: interval (600 s) must not be longer than maxInterval, 300 s');
  expect(specOf({ restartPolicy: SparkConnectRestartPolicy.never() }).restartPolicy).toEqual({ type: 'Never' });
});

test('images of other containers are ignored', () => {
  const beside = (name: string) => ({ spec: { containers: [{ name: 'proxy', image: 'envoy' }, { name }] } });
  expect(specOf({
    server: { template: beside('spark-kubernetes-driver') }, executor: { template: beside('spark-kubernetes-executor') },
  }).image).toBe('apache/spark:4.1.1');
});

test('the old name of the service account in a template does not contradict the new one', () => {
  const template = { spec: { serviceAccount: 'old' } };
  expect(specOf({ server: { template } }).server.template.spec).toEqual({ containers: [], serviceAccountName: 'old' });
  expect(specOf({ server: { serviceAccount: 'new', template } }).server.template.spec).toEqual({
    containers: [], serviceAccountName: 'new',
  });
});

test.each<[Partial<SparkConnectProps>, string]>([
  [
    { dynamicAllocation: DynamicAllocation.upTo(3, { shuffleTracking: false }) },
    'dynamicAllocation.shuffleTracking = "false" is false, and nothing else keeps shuffle data',
  ],
  [
    { dynamicAllocation: DynamicAllocation.upTo(3), executor: { instances: 10 } },
    'executor.instances = "10" is more than dynamicAllocation.maxExecutors, 3',
  ],
  [
    { executor: { instances: 0 } },
    'executor.instances = "0" is too few without dynamic allocation; write 1 or more, or set dynamicAllocation.enabled: true',
  ],
  [
    { sparkConf: { 'spark.driver.extraJavaOptions': '-Da=b -Xmx1g' } },
    'sparkConf[spark.driver.extraJavaOptions] = "-Xmx1g" must not have -Xmx, which Spark rejects; set server.memory',
  ],
  [{ sparkConf: { 'sql.shuffle.partitions': '4' } }, 'sparkConf[sql.shuffle.partitions] has no effect'],
  [{ server: { serviceAccount: 'Bad Name' } }, 'server.serviceAccount = "Bad Name" is not a name'],
  [{ server: { service: { labels: { a: 'x y' } } } }, 'server.service.labels[a] = "x y" must have at most 63'],
  [{ ui: { portName: 'Bad Port' } }, 'ui.portName = "Bad Port" is not a name'],
  [{ image: ' ' }, 'image = " " is not the name of an image'],
  [
    { executor: { template: { metadata: { namespace: 'other' } } } },
    'executor.template.metadata.namespace = "other" is not the namespace of the SparkConnect, team-a',
  ],
])('%j is rejected', (props, message) => {
  expect(() => synthesized(connect(props))).toThrow(`\n  [test/notebooks] ${message}`);
});

test('pod props become properties and parts of the templates, like those of an application', () => {
  const pod = {
    coreRequest: '500m', memoryOverhead: Size.mebibytes(512), env: { A: '1' }, secretEnv: { B: { name: 's', key: 'k' } },
    secrets: [{ name: 'keys', path: '/keys' }], configMaps: [{ name: 'conf', path: '/conf' }], labels: { team: 'ads' }, annotations: { 'example.org/a': 'b' },
    tolerations: [{ key: 'spark', operator: 'Exists' }], podSecurityContext: { runAsNonRoot: true }, securityContext: { allowPrivilegeEscalation: false },
    nodeSelector: { pool: 'spark' }, javaOptions: '-XX:+UseG1GC',
  };
  const { server, executor, sparkConf } = specOf({
    pods: pod, server: { serviceAccount: 'notebooks' }, deps: { packages: ['org.example:a:1'] }, localDirs: [LocalDir.emptyDir({ path: '/scratch' })],
  });
  for (const [role, { template }] of [['driver', server], ['executor', executor]] as const) {
    expect(template.spec).toMatchObject({
      tolerations: pod.tolerations, securityContext: { runAsNonRoot: true },
      containers: [{
        name: `spark-kubernetes-${role}`, securityContext: { allowPrivilegeEscalation: false },
        env: expect.arrayContaining([{ name: 'A', value: '1' }, { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }]),
        volumeMounts: expect.arrayContaining([expect.objectContaining({ mountPath: '/conf' })]),
      }],
    });
    expect(sparkConf).toMatchObject({
      [`spark.kubernetes.${role}.request.cores`]: '500m',
      [`spark.${role}.memoryOverhead`]: '512m',
      [`spark.kubernetes.${role}.secrets.keys`]: '/keys',
      [`spark.kubernetes.${role}.label.team`]: 'ads',
      [`spark.kubernetes.${role}.annotation.example.org/a`]: 'b',
      [`spark.kubernetes.${role}.node.selector.pool`]: 'spark',
      [`spark.${role}.extraJavaOptions`]: '-XX:+UseG1GC',
      [`spark.kubernetes.${role}.volumes.emptyDir.spark-local-dir-1.mount.path`]: '/scratch',
    });
  }
  expect(server.template.spec.serviceAccountName).toBe('notebooks');
  expect(sparkConf['spark.jars.packages']).toBe('org.example:a:1');
});

test('methods change the server and its executors', () => {
  const server = connect();
  server.addEnv('A', '1', { roles: [SparkRole.EXECUTOR] });
  server.addSparkConf('spark.sql.ansi.enabled', 'true');
  server.addPackages('org.example:a:1');
  server.addLabel('team', 'ads');
  server.addNodeSelector('pool', 'spark');
  server.addSecurityContext({ pod: { runAsNonRoot: true } });
  server.runAs('notebooks');
  const { spec } = synthesized(server)[0];
  expect(spec.executor.template.spec.containers[0].env).toEqual([{ name: 'A', value: '1' }]);
  expect(spec.server.template.spec).toMatchObject({ serviceAccountName: 'notebooks', securityContext: { runAsNonRoot: true } });
  expect(spec.sparkConf).toMatchObject({
    'spark.sql.ansi.enabled': 'true', 'spark.jars.packages': 'org.example:a:1', 'spark.kubernetes.driver.label.team': 'ads',
    'spark.kubernetes.executor.node.selector.pool': 'spark',
  });
});

test.each<[Partial<SparkConnectProps>, readonly string[]]>([
  [{ server: { coreRequest: 'half' } }, ['server.coreRequest = "half" is not a Kubernetes quantity; write a number such as 2, 500m or 10Gi']],
  [{ executor: { labels: { 'a b': 'c' } } }, [
    'executor.labels[a b] is not the name of a label, such as team or example.org/team; write another name',
  ]],
  [{ pods: { memory: Size.kibibytes(1) } }, [
    'pods.memory = "1Ki" must be whole MiB, at least 1, because Spark measures memory in MiB: write Size.mebibytes(512) or Size.gibibytes(4)',
  ]],
  [{ deps: { packages: ['nonsense'] } }, [
    'deps.packages = "nonsense" is not a Maven coordinate; write group:artifact:version, such as org.apache.spark:spark-avro_2.13:4.1.1',
  ]],
])('%j is reported with the name of the prop', (props, problems) => {
  expect(problemsOf(connect(props))).toEqual(problems.map((problem) => `[test/notebooks] ${problem}`));
});
