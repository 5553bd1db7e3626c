import { Chart, Duration, Size, Testing } from 'cdk8s';
import {
  ApiSparkConnect, DynamicAllocation, ServiceType, SparkConnect, type SparkConnectProps, SparkConnectRestartPolicy,
} from '../../src';

const connect = (props: Partial<SparkConnectProps> = {}) => new SparkConnect(
  new Chart(Testing.app(), 'test', { namespace: 'team-a' }), 'notebooks',
  { metadata: { name: 'notebooks' }, sparkVersion: '4.1.1', ...props },
);
const specOf = (props: Partial<SparkConnectProps> = {}) => JSON.parse(JSON.stringify(connect(props).resource.toJson())).spec;

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
      template: { spec: { containers: [], priorityClassName: 'interactive' } },
      service: { name: 'connect', type: ServiceType.LOAD_BALANCER, labels: { a: 'b' }, annotations: { c: 'd' } },
    },
    executor: {
      instances: 3, cores: 4, memory: Size.gibibytes(8), template: {
        spec: { containers: [], nodeSelector: { pool: 'spark' } },
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
  expect(() => connect({ metadata: { name } })).toThrow(`metadata.name = "${name}" ${reason} server.service.name`);
  const spec = { sparkVersion: '4.1.1', image: 'i', server: {}, executor: {} };
  expect(() => new ApiSparkConnect(
    Testing.chart(), 'a', { metadata: { name }, spec },
  )).toThrow(`metadata.name = "${name}" ${reason} spec.server.service.metadata.name`);
});

test('defaults do not take precedence over other settings', () => {
  const container = (name: string) => ({ spec: { containers: [{ name, image: 'i' }] } });
  expect(specOf({
    server: { template: container('spark-kubernetes-driver') }, executor: { template: container('spark-kubernetes-executor') },
  })).not.toHaveProperty('image');
  expect(specOf({ sparkConf: { 'spark.kubernetes.container.image': 'i' } })).not.toHaveProperty('image');
  expect(specOf({
    server: { template: { spec: { containers: [], serviceAccountName: 'other' } } },
  }).server.template.spec.serviceAccountName).toBe('other');
});

test('problems are reported with the names of props', () => {
  expect(() => connect({ server: { cores: 0, service: { name: 'A' } }, executor: { instances: -1 }, ui: { port: 0 } })).toThrow([
    'SparkConnect at test/notebooks would be rejected:',
    '  server.cores = 0 must be at least 1',
    '  server.service.name = "A" must be the name of a Service: lower-case letters, digits and -, a letter first',
    '  executor.instances = -1 must be at least 0',
    '  ui.port = 0 must be at least 1',
  ].join('\n'));
  expect(() => connect({
    idleTimeToLive: Duration.seconds(0), executor: { memory: Size.mebibytes(100) },
  })).toThrow(/idleTimeToLive = "0 s" must be whole seconds, at least 1/);
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
  const template = { spec: { containers: [], serviceAccount: 'old' } };
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
    'sparkConf[spark.driver.extraJavaOptions] = "-Xmx1g" must not have -Xmx, which Spark refuses; set server.memory',
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
  expect(() => connect(props)).toThrow(`\n  ${message}`);
});
