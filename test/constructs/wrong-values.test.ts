/* A JavaScript program can pass any value for any prop. */
import { rootCertificates } from 'tls';
import { Chart, Duration, Lazy, Size, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import * as library from '../../src';
import {
  AccessSubject, BatchScheduler, DynamicAllocation, EventLogStorage, LocalDir, Monitoring, NetworkPeer, NetworkPort, PrometheusMonitor,
  RestartPolicy, Schedule, ScheduledSparkApplication, SparkApplication, SparkApplicationType, SparkConnect, SparkConnectRestartPolicy,
  SparkHistoryServer, SparkJobNamespace, SparkMemory, SparkOperator, SparkProfile, WebhookCertificates, WebUI,
  type SparkHistoryServerProps, type SparkJobNamespaceProps, type SparkOperatorProps,
} from '../../src';
import { HISTORY_SERVER_PROP_TYPES, JOB_NAMESPACE_PROP_TYPES, OPERATOR_PROP_TYPES } from '../../src/constructs/_construct-prop-types';

// The type check rejects a prop without a kind, and a kind without a prop.
OPERATOR_PROP_TYPES satisfies Record<keyof SparkOperatorProps, unknown>;
JOB_NAMESPACE_PROP_TYPES satisfies Record<keyof SparkJobNamespaceProps, unknown>;
HISTORY_SERVER_PROP_TYPES satisfies Record<keyof SparkHistoryServerProps, unknown>;

const VALUES: readonly unknown[] = [
  null, 'text', 7, {}, [], true, () => 1, [null], ['text'], 7n, Symbol('a'), new Map([['a', 'b']]), RestartPolicy.never(), SparkProfile.of({}),
];

const TRAFFIC = { peers: [NetworkPeer.anywhere()], ports: [NetworkPort.tcp(1)] };
const GIB = Size.gibibytes(1);
const ROUTE = { gateways: [{ namespace: 'a', name: 'b' }], hosts: ['a.example.org'] };
const RESOURCES = { cpuRequest: 1, cpuLimit: 2, memoryRequest: GIB, memoryLimit: GIB };

type Create = (chart: Chart, props: any) => unknown;
const CONSTRUCTS: readonly [name: string, props: object, create: Create][] = [
  ['SparkOperator', {
    namespace: 'spark', jobNamespaces: ['a'], replicas: 1, timeToLive: Duration.hours(1), flags: [], installCrds: false, resources: RESOURCES,
    leaderElection: { leaseName: 'a', leaseDuration: Duration.seconds(30) }, batchScheduling: { kubeSchedulers: ['s'] },
    metrics: { enabled: true, applicationLabels: ['a'] }, networkPolicy: { apiServer: [NetworkPeer.anywhere()], apiServerPorts: [443] },
    webhook: { deployment: { replicas: 2, resources: RESOURCES }, timeout: Duration.seconds(5), port: 9443 },
    console: { hosts: ['a.example.org'], replicas: 1 }, env: [{ name: 'A', value: 'b' }], tolerations: [{ key: 'a' }],
    podLabels: { a: 'b' }, nodeSelector: { a: 'b' }, imagePullSecrets: ['a'], webUI: undefined, image: 'i', affinity: {},
  }, (chart, props) => new SparkOperator(chart, 'c', props)],
  ['SparkJobNamespace', {
    name: 'a', labels: { a: 'b' }, quota: { cpu: 1, memory: GIB, others: { services: '1' } }, containerLimits: { maxMemory: GIB },
    network: { dns: TRAFFIC, egress: [TRAFFIC], ingress: [TRAFFIC], metricsFrom: [NetworkPeer.anywhere()] }, imagePullSecrets: ['a'],
    users: [AccessSubject.user('a')], viewers: [AccessSubject.group('b')], defaultsConfigMapName: 'd', defaults: SparkProfile.of({}),
    limits: { maxExecutors: 1, driver: { maxCores: 1, maxMemory: GIB }, allowedImages: ['a'], maxTimeToLive: Duration.hours(1) },
    operator: undefined, enforced: undefined, serviceAccountName: 'a',
  }, (chart, props) => new SparkJobNamespace(chart, 'c', props)],
  ['SparkHistoryServer', {
    sparkVersion: '4.1.1', eventLogs: EventLogStorage.claim('a'), name: 'a', memory: GIB, cpu: 1, cache: GIB, sparkConf: { 'spark.a': 'b' },
    retention: { maxAge: Duration.days(1), maxApplications: 5 }, env: { A: 'b' }, tolerations: [{ key: 'a' }], httpRoute: ROUTE,
    clients: [NetworkPeer.anywhere()], dns: TRAFFIC, egress: [TRAFFIC], podLabels: { a: 'b' }, ingress: undefined,
    secrets: [{ name: 'a', path: '/a' }], volumes: [], terminationGracePeriod: Duration.seconds(5), imagePullSecrets: ['a'],
  }, (chart, props) => new SparkHistoryServer(chart, 'c', props)],
];

const POD = {
  cores: 1, memory: GIB, env: { A: 'b' }, secretEnv: { B: { name: 'a', key: 'b' } }, labels: { a: 'b' }, tolerations: [{ key: 'a' }], nodeSelector: { a: 'b' },
  secrets: [{ name: 'a', path: '/a' }], terminationGracePeriod: Duration.seconds(5), securityContext: { runAsUser: 1 }, volumeMounts: [{ name: 'v', mountPath: '/v' }],
};
const MINIMAL = { sparkVersion: '4.1.1', type: SparkApplicationType.PYTHON, mainApplicationFile: 'local:///a.py' };
const SHARED = {
  sparkVersion: '4.1.1', image: 'i', sparkConf: { 'spark.a': 'b' }, hadoopConf: { 'fs.a': 'b' }, volumes: [{ name: 'v', emptyDir: {} }], executor: { instances: 2 },
  dynamicAllocation: DynamicAllocation.between(1, 2), localDirs: [LocalDir.emptyDir()], openLineage: { url: 'http://a' }, profile: SparkProfile.of({}), pods: { env: { C: 'd' } },
};
const APPLICATION = {
  ...SHARED, type: SparkApplicationType.SCALA, mainClass: 'a.B', mainApplicationFile: 'local:///a.jar', arguments: ['a'], deps: { jars: ['local:///a.jar'], packages: ['a:b:1'] }, driver: POD,
  restartPolicy: RestartPolicy.always(), metadata: { name: 'a', namespace: 'b', labels: { c: 'd' }, annotations: {} }, timeToLive: Duration.days(1), monitoring: Monitoring.prometheusServlet(), imagePullSecrets: ['a'],
};
const WORKLOADS: readonly [name: string, props: object, create: Create][] = [
  ['SparkApplication', APPLICATION, (chart, props) => new SparkApplication(chart, 'c', props)],
  ['ScheduledSparkApplication', { schedule: Schedule.cron('0 * * * *'), template: { ...MINIMAL, driver: { cores: 1 } } }, (chart, props) => new ScheduledSparkApplication(chart, 'c', props)],
  ['SparkConnect', { sparkVersion: '4.1.1', server: { cores: 1, secretEnv: { A: { name: 'a', key: 'b' } } }, executor: { env: { A: 'b' } } }, (chart, props) => new SparkConnect(chart, 'c', props)],
];

const DAY = Duration.days(1);
const FACTORIES: readonly [name: string, args: object, create: (...args: any) => unknown][] = [
  ['AccessSubject.group', { name: 'a' }, AccessSubject.group],
  ['AccessSubject.serviceAccount', { namespace: 'a', name: 'b' }, AccessSubject.serviceAccount],
  ['AccessSubject.user', { name: 'a' }, AccessSubject.user],
  ['BatchScheduler.kubeScheduler', { options: { schedulerName: 'a', resources: { cpu: '1' } } }, BatchScheduler.kubeScheduler],
  ['BatchScheduler.named', { name: 'a', options: { queue: 'q', priorityClassName: 'c' } }, BatchScheduler.named],
  ['BatchScheduler.volcano', { options: { queue: 'q' } }, BatchScheduler.volcano],
  ['BatchScheduler.yunikorn', { options: { queue: 'q' } }, BatchScheduler.yunikorn],
  ['DynamicAllocation.atLeast', { minExecutors: 1, options: {} }, DynamicAllocation.atLeast],
  ['DynamicAllocation.between', {
    minExecutors: 1, maxExecutors: 2, options: { initialExecutors: 1, shuffleTracking: true, shuffleTrackingTimeout: DAY },
  }, DynamicAllocation.between],
  ['DynamicAllocation.upTo', { maxExecutors: 2, options: {} }, DynamicAllocation.upTo],
  ['EventLogStorage.azure', { container: 'a', account: 'b', options: { path: 'p', keySecretName: 's' } }, EventLogStorage.azure],
  ['EventLogStorage.claim', { claimName: 'a', options: { subPath: 'p' } }, EventLogStorage.claim],
  ['EventLogStorage.gcs', { bucket: 'a', options: { path: 'p', keySecretName: 's' } }, EventLogStorage.gcs],
  ['EventLogStorage.newClaim', { options: { size: GIB, claimName: 'a', storageClassName: 'b' } }, EventLogStorage.newClaim],
  ['EventLogStorage.s3', {
    bucket: 'a', options: {
      path: 'p', endpoint: 'https://s3.example.org', region: 'r', pathStyleAccess: true, credentialsSecretName: 's', credentialsProvider: 'c',
      hadoopConf: { 'fs.a': 'b' }, hadoopSecrets: { 'fs.c': { name: 'a', key: 'b' } },
    },
  }, EventLogStorage.s3],
  ['EventLogStorage.uri', { uri: 'hdfs://a/b', hadoopConf: { 'fs.a': 'b' }, hadoopSecrets: { 'fs.c': { name: 'a', key: 'b' } } }, EventLogStorage.uri],
  ['LocalDir.emptyDir', { options: { path: '/a', sizeLimit: GIB } }, LocalDir.emptyDir],
  ['LocalDir.hostPath', { hostPath: '/a', options: { path: '/b' } }, LocalDir.hostPath],
  ['LocalDir.onDemandClaim', { options: { storageClassName: 'a', size: GIB } }, LocalDir.onDemandClaim],
  ['LocalDir.volume', { volume: { name: 'a', emptyDir: {} }, options: {} }, LocalDir.volume],
  ['Monitoring.jmxExporter', { options: { jar: '/a.jar', port: 8090, portName: 'm', configFile: '/a.yaml' } }, Monitoring.jmxExporter],
  ['Monitoring.of', { options: { driver: true, jmxExporter: { jar: '/a.jar' }, prometheusServlet: true } }, Monitoring.of],
  ['Monitoring.prometheusServlet', { options: { executors: true, metricsProperties: 'a=b' } }, Monitoring.prometheusServlet],
  ['NetworkPeer.addresses', { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }, NetworkPeer.addresses],
  ['NetworkPeer.allPods', {}, NetworkPeer.allPods],
  ['NetworkPeer.anywhere', {}, NetworkPeer.anywhere],
  ['NetworkPeer.namespace', { name: 'a' }, NetworkPeer.namespace],
  ['NetworkPeer.pods', { props: { labels: { a: 'b' }, namespaceLabels: { c: 'd' } } }, NetworkPeer.pods],
  ['NetworkPort.tcp', { port: 1 }, NetworkPort.tcp],
  ['NetworkPort.tcpRange', { first: 1, last: 2 }, NetworkPort.tcpRange],
  ['NetworkPort.udp', { port: 1 }, NetworkPort.udp],
  ['PrometheusMonitor.podMonitor', { props: { interval: DAY, scrapeTimeout: DAY, labels: { a: 'b' } } }, PrometheusMonitor.podMonitor],
  ['PrometheusMonitor.serviceMonitor', { props: { namespace: 'a' } }, PrometheusMonitor.serviceMonitor],
  ['RestartPolicy.always', { options: { interval: DAY, exponentialBackoff: { maxInterval: DAY, resetAfter: DAY } } }, RestartPolicy.always],
  ['RestartPolicy.never', {}, RestartPolicy.never],
  ['RestartPolicy.onFailure', {
    options: { retries: 1, submissionRetries: 1, submissionInterval: DAY },
  }, RestartPolicy.onFailure],
  ['Schedule.at', { options: { minute: '0', hour: '1', weekDay: '1' } }, Schedule.at],
  ['Schedule.cron', { expression: '0 * * * *' }, Schedule.cron],
  ['Schedule.every', { interval: DAY }, Schedule.every],
  ['Schedule.expression', { expression: '@daily' }, Schedule.expression],
  ['SparkConnectRestartPolicy.always', { options: { interval: DAY, maxInterval: DAY, resetAfter: DAY } }, SparkConnectRestartPolicy.always],
  ['SparkConnectRestartPolicy.never', {}, SparkConnectRestartPolicy.never],
  ['SparkMemory.parse', { text: '1g' }, SparkMemory.parse],
  ['SparkProfile.of', { props: { sparkVersion: '4.1.1', driver: { memory: GIB }, deps: { jars: ['local:///a.jar'] } } }, SparkProfile.of],
  ['WebUI.byGateway', {
    props: { urlFormat: '{{$appName}}.example.org', gateways: [{ namespace: 'a', name: 'b' }], annotations: { a: 'b' } },
  }, WebUI.byGateway],
  ['WebUI.byIngress', {
    props: { urlFormat: '{{$appName}}.example.org', ingressClassName: 'a', tls: [{ secretName: 'a' }], annotations: { a: 'b' } },
  }, WebUI.byIngress],
  ['WebUI.byService', {}, WebUI.byService],
  ['WebUI.none', {}, WebUI.none],
  ['WebhookCertificates.certManager', {
    props: { issuerName: 'a', issuerGroup: 'b', lifetime: DAY, renewBefore: Duration.hours(1), secretName: 'c' },
  }, WebhookCertificates.certManager],
  ['WebhookCertificates.fromSecret', { secretName: 'a', caBundle: rootCertificates[0] }, WebhookCertificates.fromSecret],
  ['WebhookCertificates.selfManaged', { props: { lifetime: DAY, secretName: 'a' } }, WebhookCertificates.selfManaged],
];

const isPlain = (value: unknown): value is object => typeof value === 'object' && value !== null
  && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));

/** Returns the props with one wrong value, for each prop and value. */
function* variants(value: any, path: readonly string[] = [], values = VALUES): Generator<[path: readonly string[], props: any]> {
  for (const key of Object.keys(value)) {
    const at = [...path, key];
    const put = (each: unknown) => (Array.isArray(value) ? Object.assign([...value], { [key]: each }) : { ...value, [key]: each });
    for (const wrong of values) yield [at, put(wrong)];
    if (isPlain(value[key])) for (const [deeper, each] of variants(value[key], at, values)) yield [deeper, put(each)];
  }
}

/** Returns the failures that do not name the prop. */
function unnamed(props: object, create: Create): string[] {
  const found: string[] = [];
  for (const [path, variant] of variants(props)) {
    const chart = Testing.chart();
    try {
      create(chart, variant);
      const problems = chart.node.findAll().flatMap((construct) => construct.node.validate());
      for (const problem of problems) {
        if (!path.some((part) => problem.includes(part))) found.push(`${path.join('.')}: ${problem}`);
      }
      if (problems.length === 0) Testing.synth(chart);
    } catch (error) {
      const { name, message } = error as Error;
      if (name === 'TypeError' || !path.some((part) => message.includes(part))) found.push(`${path.join('.')}: ${name}: ${message}`);
    }
  }
  return [...new Set(found)];
}

test.each([...CONSTRUCTS, ...WORKLOADS])('%s reports each wrong value by the name of its prop', (_, props, create) => {
  expect(unnamed(props, create)).toEqual([]);
});

test.each(FACTORIES)('%s throws an error for each wrong value, with the name of the argument', (name, args, create) => {
  const found: string[] = [];
  for (const [path, variant] of variants(args, [], [...VALUES, undefined])) {
    try {
      create(...Object.values(variant));
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof TypeError || !message.startsWith(name.split('.')[0]!) || !path.some((part) => message.includes(part)) && !/is (missing|required)$/.test(message)) {
        found.push(`${path.join('.')}: ${error}`);
      }
    }
  }
  expect(found).toEqual([]);
});

test('all factories are tested', () => {
  const isPrivate = (method: string) => ['by', 'checked', 'make', 'within'].includes(method);
  const all = Object.entries(library).flatMap(([name, value]) => (typeof value !== 'function' || value.prototype instanceof Construct ? []
    : Object.keys(Object.getOwnPropertyDescriptors(value)).filter((method) => typeof value[method as never] === 'function' && !isPrivate(method))
      .map((method) => `${name}.${method}`)));
  expect(FACTORIES.map(([name]) => name).sort()).toEqual(all.sort());
});

test.each(CONSTRUCTS)('%s reports an unknown prop, with the closest known one', (_, props, create) => {
  const [known] = Object.keys(props);
  const construct = create(Testing.chart(), { ...props, [`${known}s`]: 1 }) as Construct;
  expect(construct.node.validate()).toEqual([expect.stringContaining(`${known}s = 1 is not a prop; did you mean ${known}?`)]);
});

test('undefined entries of lists and maps are dropped', () => {
  const given = { tolerations: [undefined, { key: 'a' }], podLabels: { a: undefined, b: 'c' }, imagePullSecrets: [undefined, 'a'] } as any;
  const chart = Testing.chart();
  new SparkOperator(chart, 'operator', { ...given, installCrds: false });
  new SparkHistoryServer(chart, 'history', { ...given, sparkVersion: '4.1.1', eventLogs: EventLogStorage.claim('a') });
  const templates = Testing.synth(chart).filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template);
  expect(templates).toHaveLength(2);
  for (const { spec, metadata } of templates) {
    expect(spec).toMatchObject({ tolerations: [{ key: 'a' }], imagePullSecrets: [{ name: 'a' }] });
    expect(Object.keys(metadata.labels)).not.toContain('a');
  }
});

test('a Lazy is resolved at synthesis, and null is not set', () => {
  const chart = Testing.chart();
  const lazy = (value: unknown) => Lazy.any({ produce: () => value });
  const more: any = { suspend: lazy(true), deps: lazy({ jars: ['local:///b.jar'] }), sparkConf: { 'spark.a': lazy('b'), 'spark.c': null }, image: null };
  const { node } = new SparkApplication(chart, 'c', { ...MINIMAL, ...more });
  expect(node.validate()).toEqual([]);
  expect(Testing.synth(chart)[0].spec).toMatchObject({
    suspend: true, deps: { jars: ['local:///b.jar'] }, sparkConf: { 'spark.a': 'b' }, image: 'apache/spark:4.1.1',
  });
});

test.each<[name: string, more: object, problems: readonly string[]]>([
  ['a map of JavaScript', { sparkConf: new Map([['spark.a', 'b']]) }, ['sparkConf must be an object such as { key: … }']],
  ['the old keys of a Secret', { driver: { secretEnv: { A: { secretName: 's', key: 'k' } } } }, [
    'driver.secretEnv[A].secretName is not a prop; known are name, key', expect.stringContaining('secretKeyRef.name'),
  ]],
  ['a policy of another construct', { restartPolicy: SparkConnectRestartPolicy.always() }, ['restartPolicy must be an instance of RestartPolicy']],
])('%s is a problem', (_, more, problems) => {
  expect(new SparkApplication(Testing.chart(), 'c', { ...MINIMAL, ...more }).node.validate()).toEqual(problems);
});

test.each([undefined, 'a.py', 5])('a template that is none (%j) is one problem', (template: any) => {
  const { node } = new ScheduledSparkApplication(Testing.chart(), 'c', { schedule: Schedule.cron('0 * * * *'), template });
  expect(node.validate()).toEqual([expect.stringMatching(/^template (= \S+ )?(is missing|must be an object)$/)]);
});

test('a wrong value on which other checks depend is an error at once, with the construct', () => {
  const create = () => new SparkApplication(Testing.chart(), 'c', { ...MINIMAL, profile: 'base' as any });
  expect(create).toThrow('SparkApplication at test/c: profile = "base" must be an instance of SparkProfile');
});
