/* Problems that only the constructs of an app together have. */
import { App, Chart, Testing } from 'cdk8s';
import {
  EventLogStorage, Schedule, ScheduledSparkApplication, SparkApplication, SparkApplicationType, SparkConnect, SparkHistoryServer, SparkJobNamespace, SparkOperator,
  type SparkOperatorProps, SparkProfile,
} from '../../src';
import { problemsOf } from './synthesis';

const PI = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py' };

let app: App;
let warnings: string[];

beforeEach(() => {
  app = Testing.app();
  warnings = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => warnings.push(String(text).trimEnd()) > 0);
});

afterEach(() => jest.restoreAllMocks());

const chart = (id: string, namespace?: string) => new Chart(app, id, { namespace });
const operator = (scope: Chart, id: string, props: SparkOperatorProps = {}) => new SparkOperator(scope, id, { installCrds: false, namespace: id, ...props });

test('the same application twice in a chart', () => {
  const jobs = chart('jobs', 'team-a');
  for (const id of ['one', 'two']) new SparkApplication(jobs, id, { ...PI, metadata: { name: 'pi' } });
  new SparkApplication(jobs, 'elsewhere', { ...PI, metadata: { name: 'pi', namespace: 'team-b' } });
  new SparkApplication(chart('other-cluster', 'team-a'), 'pi', { ...PI, metadata: { name: 'pi' } });
  expect(problemsOf(jobs)).toEqual([
    '[jobs/two] metadata.name = "pi" is the name of the SparkApplication at jobs/one/Resource, which it would replace; choose another name',
  ]);
});

test('problems that have been mended are forgotten', () => {
  const jobs = chart('jobs', 'team-a');
  new SparkApplication(jobs, 'one', { ...PI, metadata: { name: 'pi' } });
  new SparkApplication(jobs, 'two', { ...PI, metadata: { name: 'pi' } });
  expect(problemsOf(jobs)).toHaveLength(1);
  jobs.node.tryRemoveChild('two');
  expect(problemsOf(jobs)).toEqual([]);
});

test('two operators for a namespace: in one chart an error, in two a warning', () => {
  const install = chart('install');
  operator(install, 'first', { jobNamespaces: ['team-a', 'team-b'] });
  operator(install, 'second', { jobNamespaces: ['team-b'] });
  operator(chart('more'), 'third', { jobNamespaces: ['team-a'] });
  expect(problemsOf(install)).toEqual([
    '[install/second] jobNamespaces = "team-b" is also watched by the SparkOperator at install/first, and both would run its applications; leave it to one of them',
  ]);
  expect(warnings).toEqual([
    'warning: [more/third] jobNamespaces = "team-a" is also watched by the SparkOperator at install/first, and both would run its applications; leave it to one of them',
  ]);
});

test.each<[string, SparkOperatorProps, SparkOperatorProps, string | undefined]>([
  ['disjoint labels', { namespaceSelector: { pool: 'a' } }, { namespaceSelector: { pool: 'b' } }, undefined],
  ['equal requirements', { namespaceSelectorExpression: 'a in (b,c)' }, { namespaceSelectorExpression: 'a in (b,c)' }, 'namespaces with the same labels'],
  ['equal labels', { namespaceSelector: { pool: 'a' } }, { namespaceSelector: { pool: 'a' } }, 'namespaces with the same labels'],
  ['all namespaces', { allNamespaces: true }, { jobNamespaces: ['a'] }, 'all namespaces'],
])('two operators with %s', (_, first, second, both) => {
  const install = chart('install');
  operator(install, 'first', first);
  operator(install, 'second', second);
  expect(problemsOf(install)).toEqual(both === undefined ? [] : [expect.stringContaining(`[install/second] jobNamespaces = "${both}" is also watched by`)]);
});

test('one installation for each cluster, each in its chart', () => {
  for (const cluster of ['staging', 'production']) {
    const install = chart(cluster);
    operator(install, 'spark-operator', { jobNamespaces: ['team-a'] });
    new SparkApplication(install, 'pi', { ...PI, metadata: { name: 'pi', namespace: 'team-a' } });
  }
  expect(problemsOf(app.charts[0]!)).toEqual([]);
  expect(warnings).toEqual([]);
});

test('a namespace that no operator of the app watches', () => {
  operator(chart('install'), 'operator', { jobNamespaces: ['team-a'] });
  const jobs = chart('jobs');
  for (const namespace of ['team-a', 'team-b']) new SparkApplication(jobs, namespace, { ...PI, metadata: { name: 'pi', namespace } });
  expect(problemsOf(jobs)).toEqual([]);
  expect(warnings).toEqual([
    'warning: [jobs/team-b] metadata.namespace = "team-b" is watched by no operator of this app; add it to jobNamespaces of a SparkOperator, or pass one to its SparkJobNamespace',
  ]);
});

test('a history server that is older than what writes event logs for it', () => {
  const jobs = chart('jobs', 'team-a');
  const eventLogs = EventLogStorage.s3('logs', { region: 'eu-central-1' });
  const history = new SparkHistoryServer(jobs, 'history', { sparkVersion: '4.0.0', image: 'i', eventLogs });
  history.connect(
    new SparkApplication(jobs, 'old', { ...PI, sparkVersion: '3.5.8' }),
    new ScheduledSparkApplication(jobs, 'nightly', { schedule: Schedule.cron('0 3 * * *'), template: { ...PI, sparkVersion: undefined, profile: SparkProfile.of({ sparkVersion: '4.1.1' }) } }),
    new SparkConnect(jobs, 'notebooks', { sparkVersion: '4.0.0' }),
  );
  expect(problemsOf(jobs)).toEqual([
    '[jobs/history] sparkVersion = "4.0.0" is older than that of jobs/nightly, 4.1.1; use at least the version of the applications',
  ]);
});

test('a history server that is older than an application of a connected namespace', () => {
  const jobs = chart('jobs');
  const jobNamespace = new SparkJobNamespace(jobs, 'team-a', {
    name: 'team-a', operator: operator(chart('install'), 'operator', { jobNamespaces: [], defaultsConfigMapName: 'spark-defaults' }),
  });
  const history = new SparkHistoryServer(jobs, 'history', { namespace: 'logs', sparkVersion: '4.0.0', image: 'i', eventLogs: EventLogStorage.s3('logs') });
  history.connectNamespace(jobNamespace);
  new SparkApplication(jobs, 'pi', { ...PI, jobNamespace });
  new SparkApplication(jobs, 'elsewhere', { ...PI, sparkVersion: '4.2.0', metadata: { namespace: 'team-b' } });
  expect(problemsOf(jobs)).toEqual([
    '[jobs/history] sparkVersion = "4.0.0" is older than that of jobs/pi, 4.1.1; use at least the version of the applications',
  ]);
});

test('charts are applied in the order in which they need each other', () => {
  const jobs = chart('jobs');
  const namespaces = chart('namespaces');
  const jobNamespace = new SparkJobNamespace(namespaces, 'team-a', { name: 'team-a', operator: operator(chart('install'), 'operator', { jobNamespaces: [] }) });
  new SparkApplication(jobs, 'pi', { ...PI, jobNamespace });
  expect(app.charts.map(({ node }) => node.id)).toEqual(['install', 'namespaces', 'jobs']);
});
