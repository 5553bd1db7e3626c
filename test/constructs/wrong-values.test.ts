/* A JavaScript program can pass any value for any prop. */
import { Chart, Duration, Size, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import {
  AccessSubject, EventLogStorage, NetworkPeer, NetworkPort, SparkHistoryServer, SparkJobNamespace, SparkOperator, SparkProfile,
  type SparkHistoryServerProps, type SparkJobNamespaceProps, type SparkOperatorProps,
} from '../../src';
import { HISTORY_SERVER_KINDS, JOB_NAMESPACE_KINDS, OPERATOR_KINDS } from '../../src/constructs/_prop-kinds';

// The type check rejects a prop without a kind, and a kind without a prop.
OPERATOR_KINDS satisfies Record<keyof SparkOperatorProps, unknown>;
JOB_NAMESPACE_KINDS satisfies Record<keyof SparkJobNamespaceProps, unknown>;
HISTORY_SERVER_KINDS satisfies Record<keyof SparkHistoryServerProps, unknown>;

const VALUES: readonly unknown[] = [null, 'text', 7, {}, [], true, () => 1, [null], ['text']];

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
    users: [AccessSubject.user('a')], viewers: [AccessSubject.group('b')], defaultsConfigMap: 'd', defaults: SparkProfile.of({}),
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

const isPlain = (value: unknown): value is object => typeof value === 'object' && value !== null
  && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));

/** Returns the props with one wrong value, for each prop and value. */
function* variants(value: any, path: readonly string[] = []): Generator<[path: readonly string[], props: any]> {
  for (const key of Object.keys(value)) {
    const at = [...path, key];
    const put = (each: unknown) => (Array.isArray(value) ? Object.assign([...value], { [key]: each }) : { ...value, [key]: each });
    for (const wrong of VALUES) yield [at, put(wrong)];
    if (isPlain(value[key])) for (const [deeper, each] of variants(value[key], at)) yield [deeper, put(each)];
  }
}

/** Returns the failures that do not name the prop. */
function unnamed(props: object, create: Create): string[] {
  const found: string[] = [];
  for (const [path, variant] of variants(props)) {
    const chart = Testing.chart();
    try {
      create(chart, variant);
      for (const construct of chart.node.findAll() as Construct[]) {
        for (const problem of construct.node.validate()) {
          if (!path.some((part) => problem.includes(part))) found.push(`${path.join('.')}: ${problem}`);
        }
      }
      if (chart.node.findAll().every((construct) => construct.node.validate().length === 0)) Testing.synth(chart);
    } catch (error) {
      const { name, message } = error as Error;
      if (name === 'TypeError' || !path.some((part) => message.includes(part))) found.push(`${path.join('.')}: ${name}: ${message}`);
    }
  }
  return [...new Set(found)];
}

test.each(CONSTRUCTS)('%s reports each wrong value by the name of its prop', (_, props, create) => {
  expect(unnamed(props, create)).toEqual([]);
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
