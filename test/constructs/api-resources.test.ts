/* Raw resources other than ApiSparkApplication. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JsonPatch, Testing } from 'cdk8s';
import { parse } from 'yaml';
import { problemsOf, synthesized } from './synthesis';
import { ApiScheduledSparkApplication, ApiSparkConnect } from '../../src';

const manifestsIn = (folder: string) => readdirSync(join(__dirname, '../fixtures', folder)).map((file) => ({
  file, manifest: parse(readFileSync(join(__dirname, '../fixtures', folder, file), 'utf8')),
}));

const TEMPLATE = { type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} };
const scheduled = (spec: object, name = 'nightly') => new ApiScheduledSparkApplication(Testing.chart(), 'nightly', {
  metadata: { name }, spec: { schedule: '@daily', template: TEMPLATE, ...spec } as any,
});
const connect = (spec: object, name = 'notebooks') => new ApiSparkConnect(Testing.chart(), 'notebooks', {
  metadata: { name, namespace: 'team-a' }, spec: { sparkVersion: '4.1.1', image: 'i', server: {}, executor: {}, ...spec } as any,
});

test.each(manifestsIn('scheduled'))('scheduled/$file is valid', ({ manifest: { kind, apiVersion, metadata, spec } }) => {
  const [manifest] = synthesized(new ApiScheduledSparkApplication(Testing.chart(), 'a', { metadata, spec }));
  expect(manifest).toMatchObject({ kind, apiVersion, metadata });
  // Numbers become the quantities that Kubernetes requires.
  expect({ ...manifest.spec, template: { ...manifest.spec.template, driver: { ...spec.template.driver } } }).toEqual(spec);
});

/** Manifest with fields that the API server drops with a warning. */
const WITH_UNKNOWN_FIELDS = 'container-fields-of-pod.yaml';

test.each(
  manifestsIn('connect').filter(({ file }) => file !== WITH_UNKNOWN_FIELDS),
)('connect/$file is valid', ({ manifest: { kind, apiVersion, metadata, spec } }) => {
  const [manifest] = synthesized(new ApiSparkConnect(Testing.chart(), 'a', { metadata, spec }));
  expect(manifest).toMatchObject({ kind, apiVersion, metadata, spec: { sparkVersion: spec.sparkVersion, executor: spec.executor } });
});

test('fields that the API server would drop are rejected at synth', () => {
  const { metadata, spec } = manifestsIn('connect').find(({ file }) => file === WITH_UNKNOWN_FIELDS)!.manifest;
  expect(() => synthesized(new ApiSparkConnect(
    Testing.chart(), 'a', { metadata, spec },
  ))).toThrow('spec.server.template.spec.securityContext.capabilities has no effect: it is not a field');
});

test('all problems of a ScheduledSparkApplication are reported at once', () => {
  const template = { ...TEMPLATE, driver: { memory: '1.5g', template: { spec: { tolerations: [{ efect: 'NoSchedule' }] } } } };
  expect(problemsOf(scheduled({
    schedule: '0 25 * * *', concurrencyPolicy: 'Never', successfulRunHistoryLimit: -1, retries: 3, template,
  }))).toEqual([
    '[test/nightly] spec.concurrencyPolicy = "Never" must be one of Allow, Forbid, Replace',
    '[test/nightly] spec.retries = 3 is not a field; known are catchUpPolicy, concurrencyPolicy, failedRunHistoryLimit, schedule, startingDeadlineSeconds, successfulRunHistoryLimit, suspend, template, timeZone',
    '[test/nightly] spec.successfulRunHistoryLimit = -1 must be at least 0',
    '[test/nightly] spec.schedule = "0 25 * * *" has "25" for the hour; it can be * or have numbers from 0 to 23, as 1,2, as 1-5 or with steps as */5',
    '[test/nightly] spec.template.driver.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi',
    '[test/nightly] spec.template.driver.template.spec.tolerations[0].efect = "NoSchedule" is not a field; did you mean effect?',
  ]);
});

test.each<[name: string, spec: object, message: string]>([
  ['no template', { template: undefined }, 'spec.template is required'],
  ['a template that is a text', { template: 'pi' }, 'spec.template = "pi" must be an object'],
  ['no schedule', { schedule: undefined }, 'spec.schedule is required'],
  ['an empty schedule', { schedule: '' }, 'spec.schedule = "" must not be empty'],
  ['a schedule that is a number', { schedule: 5 }, 'spec.schedule = 5 must be a string, in quotes'],
  ['a day that does not exist', { schedule: '0 0 31 2,4,6 *' }, 'never has a run: those months have no such day'],
  ['an unknown time zone', { timeZone: 'Europe/Belrin' }, 'spec.timeZone = "Europe/Belrin" is not a known time zone'],
  ['a template that the operator could not submit', {
    template: { ...TEMPLATE, driver: { labels: { 'a b': 'c' } } },
  }, 'spec.template.driver.labels'],
])('a ScheduledSparkApplication with %s is rejected', (_, spec, message) => {
  expect(() => synthesized(scheduled(spec))).toThrow(message);
});

test("null counts as unset, and quantities in the template get Kubernetes' form", () => {
  const [{ spec }] = synthesized(scheduled({ timeZone: null, template: { ...TEMPLATE, driver: { coreRequest: 0.5 } } }));
  expect(spec.template.driver).toEqual({ coreRequest: '0.5' });
});

test('patches are checked, too', () => {
  const resource = scheduled({});
  resource.addJsonPatch(JsonPatch.replace('/spec/schedule', 'nightly'));
  expect(() => synthesized(resource)).toThrow('spec.schedule = "nightly" must have five fields');
});

test.each<[name: string, spec: object, message: string]>([
  [
    'no image at all', { image: undefined },
    'spec.image is missing, and spec.executor.template.spec.containers[].image too',
  ],
  ['an image for the server only', {
    image: undefined, server: { template: { spec: { containers: [{ name: 'spark-kubernetes-driver', image: 'i' }] } } },
  }, 'spec.image is missing, and spec.executor.template.spec.containers[].image too'],
  ['half a size', { server: { memory: '1.5g' } }, 'spec.server.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes'],
  ['a typo in a template', {
    executor: { template: { spec: { nodeSelecter: {} } } },
  }, 'spec.executor.template.spec.nodeSelecter has no effect: it is not a field; did you mean nodeSelector?'],
  ['a property that sets the service account', {
    sparkConf: { 'spark.kubernetes.authenticate.driver.serviceAccountName': 'admin' },
  }, 'set serviceAccountName in spec.server.template'],
  ['another namespace', {
    sparkConf: { 'spark.kubernetes.namespace': 'team-b' },
  }, 'is not the namespace of the SparkConnect, team-a; remove it, or create the SparkConnect in the other namespace'],
  ['contradictory bounds', {
    dynamicAllocation: { enabled: true, minExecutors: 5, maxExecutors: 2 },
  }, 'minExecutors must not be greater than maxExecutors'],
  ['an invalid label of the Service', {
    server: { service: { metadata: { labels: { a: 'x y' } } } },
  }, 'spec.server.service.metadata.labels[a] = "x y" must have at most 63'],
  ['an invalid annotation of the UI', {
    sparkUIOptions: { serviceAnnotations: { 'a b': '' } },
  }, 'spec.sparkUIOptions.serviceAnnotations[a b] is not the name of an annotation'],
  ['an invalid label of a template', {
    executor: { template: { metadata: { labels: { a: 'x y' } } } },
  }, 'spec.executor.template.metadata.labels[a] must have'],
  ['another server', {
    sparkConf: { 'spark.remote': 'sc://a' },
  }, 'spec.sparkConf[spark.remote] = "sc://a" is where a server for Spark Connect is'],
  ['another port', {
    sparkConf: { 'spark.connect.grpc.binding.port': '16000' },
  }, 'spec.sparkConf[spark.connect.grpc.binding.port] = "16000" must be 15002, the port of the server\'s Service: remove it'],
  ['an invalid name of the Service', {
    server: { service: { metadata: { name: '1st' } } },
  }, 'spec.server.service.metadata.name = "1st" must be the name of a Service'],
])('a SparkConnect with %s is rejected', (_, spec, message) => {
  expect(() => synthesized(connect(spec))).toThrow(message);
});

test('a SparkConnect cannot choose the address of its server, as the operator rejects that', () => {
  expect(() => synthesized(connect({ sparkConf: { 'spark.driver.bindAddress': '0.0.0.0' } }))).toThrow('[test/notebooks] spec.sparkConf[spark.driver.bindAddress] = "0.0.0.0" is not allowed on Kubernetes');
});

test('a resource without a specification is rejected', () => {
  for (const Resource of [ApiScheduledSparkApplication, ApiSparkConnect]) {
    expect(problemsOf(new Resource(Testing.chart(), 'a', {} as any))).toEqual(['[test/a] spec is required']);
  }
});

test('a name that a patch has changed is checked', () => {
  const resource = connect({});
  resource.addJsonPatch(JsonPatch.replace('/metadata/name', 'Bad_Name'));
  expect(() => synthesized(resource)).toThrow('metadata.name = "Bad_Name" must be made of lower-case letters');
});

test('names must leave room for derived names', () => {
  expect(() => synthesized(connect({}, 'n'.repeat(57)))).toThrow(
    'must have at most 56 characters, as its server and Service are called <name>-server; it has 57',
  );
  expect(problemsOf(connect({}, 'n'.repeat(56)))).toEqual([]);
  expect(() => synthesized(scheduled({}, 'n'.repeat(64)))).toThrow('must have at most 63 characters, as it becomes a label of its runs; it has 64');
});
