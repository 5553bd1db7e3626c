import { Chart, Testing } from 'cdk8s';
import {
  type OpenLineageOptions, Schedule, ScheduledSparkApplication, SparkApplication, type SparkApplicationProps, SparkApplicationType, SparkConnect, SparkProfile,
} from '../../src';
import { problemsOf, synthesized } from '../constructs/synthesis';

const PROGRAM = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py' };
const LISTENER = 'io.openlineage.spark.agent.OpenLineageSparkListener';
const PACKAGE = 'io.openlineage:openlineage-spark_2.13:1.53.0';
const OPTIONS: OpenLineageOptions = { url: 'http://marquez.lineage:5000', namespace: 'production', listenerPackage: PACKAGE };
const CONF = {
  'spark.extraListeners': LISTENER, 'spark.openlineage.transport.type': 'http', 'spark.openlineage.transport.url': 'http://marquez.lineage:5000',
  'spark.openlineage.namespace': 'production',
};

const application = (props: Partial<SparkApplicationProps>) => new SparkApplication(Testing.chart(), 'pi', { ...PROGRAM, ...props });
const specOf = (props: Partial<SparkApplicationProps>) => synthesized(application(props))[0].spec;

test('an application has the listener, its properties and its package', () => {
  expect(specOf({ openLineage: OPTIONS })).toMatchObject({ sparkConf: CONF, deps: { packages: [PACKAGE] } });
});

test('without a package and a namespace, nothing is written for them', () => {
  const { sparkConf, deps } = specOf({ openLineage: { url: 'https://lineage.example.org' } });
  expect([sparkConf['spark.openlineage.namespace'], deps]).toEqual([undefined, undefined]);
});

test('other listeners, properties and packages stay', () => {
  const { sparkConf, deps } = specOf({ openLineage: OPTIONS, sparkConf: { 'spark.extraListeners': 'org.example.A', 'spark.a': 'b' }, deps: { packages: ['a:b:1'] } });
  expect(sparkConf).toMatchObject({ ...CONF, 'spark.extraListeners': `org.example.A,${LISTENER}`, 'spark.a': 'b' });
  expect(deps).toEqual({ packages: ['a:b:1', PACKAGE] });
});

test('a profile passes it to applications, schedules and servers', () => {
  const profile = SparkProfile.of({ openLineage: OPTIONS, sparkVersion: '4.1.1' });
  const chart = new Chart(Testing.app(), 'test');
  new SparkApplication(chart, 'pi', { ...PROGRAM, profile, deps: { packages: ['a:b:1'] } });
  new ScheduledSparkApplication(chart, 'nightly', { schedule: Schedule.cron('0 3 * * *'), template: { ...PROGRAM, profile } });
  new SparkConnect(chart, 'notebooks', { profile, metadata: { name: 'notebooks' } });
  const [pi, nightly, notebooks] = synthesized(chart);
  for (const { sparkConf } of [pi.spec, nightly.spec.template]) expect(sparkConf).toEqual(CONF);
  expect(pi.spec.deps.packages).toEqual(expect.arrayContaining([PACKAGE, 'a:b:1']));
  expect(notebooks.spec.sparkConf).toEqual({ ...CONF, 'spark.jars.packages': PACKAGE });
});

test.each<[OpenLineageOptions, string]>([
  [{ url: 'marquez:5000' }, 'openLineage.url = "marquez:5000" is not a URL; write one such as http://marquez.lineage:5000'],
  [{ url: '' }, 'openLineage.url = "" is not a URL'],
  [{ ...OPTIONS, namespace: ' ' }, 'openLineage.namespace = " " is empty; leave it out for "default"'],
  [{ ...OPTIONS, listenerPackage: 'openlineage-spark' }, 'deps.packages = "openlineage-spark" is not a Maven coordinate'],
])('%j is rejected', (openLineage, problem) => {
  expect(problemsOf(application({ openLineage }))).toEqual([expect.stringContaining(`[test/pi] ${problem}`)]);
  const server = new SparkConnect(Testing.chart(), 'notebooks', { sparkVersion: '4.1.1', openLineage });
  expect(problemsOf(server)).toHaveLength(1);
});

test('a profile rejects it at once', () => {
  expect(() => SparkProfile.of({ openLineage: { url: 'x' } })).toThrow('SparkProfile.of: openLineage.url = "x" is not a URL');
});
