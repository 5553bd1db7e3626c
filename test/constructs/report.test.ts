/* The report of a synthesis about several constructs, and about one that it checks several times. */
import { readdirSync } from 'node:fs';
import { Chart, JsonPatch, Size, Testing } from 'cdk8s';
import type { Construct } from 'constructs';
import { problemsOf } from './synthesis';
import {
  ApiSparkApplication, ApiSparkConnect, Schedule, ScheduledSparkApplication, SparkApplication, type SparkApplicationProps,
  SparkApplicationType, SparkConnect, SparkJobNamespace, SparkOperator,
} from '../../src';

const PYTHON = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py' } as const;

/** The application sets a value that another field replaces. */
const OVERRIDDEN: SparkApplicationProps = {
  ...PYTHON, metadata: { name: 'pi' }, driver: { memory: Size.gibibytes(1) },
  sparkConf: { 'spark.driver.memory': '2g' },
};

const WARNING = 'warning: [test/pi] sparkConf[spark.driver.memory] is overridden by driver.memory\n';

let printed: jest.SpyInstance;
beforeEach(() => { printed = jest.spyOn(process.stderr, 'write').mockReturnValue(true); });
afterEach(() => printed.mockRestore());

test('all problems of an app are in one error, and no file is written', () => {
  const app = Testing.app();
  const [jobs, platform] = ['jobs', 'platform'].map((id) => new Chart(app, id));
  new SparkApplication(jobs!, 'pi', { ...PYTHON, driver: { cores: 0 }, executor: { memory: Size.kibibytes(1) } });
  new ScheduledSparkApplication(jobs!, 'nightly', {
    schedule: Schedule.cron('0 3 * * *'), timeZone: 'Berlin', template: { ...PYTHON, mainApplicationFile: '' },
  });
  new SparkOperator(platform!, 'operator', { replicas: 0.5, jobNamespaces: ['a', 'a'], flags: ['--webhook=pods'] });
  new SparkApplication(platform!, 'valid', PYTHON);

  expect(() => app.synth()).toThrow(new Error([
    'Validation failed with the following errors:',
    '  [jobs/pi] executor.memory = "1Ki" must be whole MiB, at least 1, because Spark measures memory in MiB: write Size.mebibytes(512) or Size.gibibytes(4)',
    '  [jobs/pi] driver.cores = 0 must be at least 1',
    '  [jobs/nightly] timeZone = "Berlin" is not a known time zone; write a name of the IANA database, such as Europe/Berlin or UTC',
    '  [jobs/nightly] template.mainApplicationFile = "" must not be empty',
    '  [platform/operator] jobNamespaces[1] = "a" is in the list twice; leave it out',
    '  [platform/operator] replicas = 0.5 must be a whole number of at least 0',
    '  [platform/operator] flags[0] = "--webhook=pods" conflicts with other parts of the installation; use webhook',
  ].join('\n')));
  expect(readdirSync(app.outdir)).toEqual([]);
});

test('a warning is printed once, although cdk8s validates an app again for each chart, and rejects nothing', () => {
  const app = Testing.app();
  new SparkApplication(new Chart(app, 'test'), 'pi', OVERRIDDEN);
  new SparkApplication(new Chart(app, 'other'), 'pi', PYTHON);
  app.synth();
  app.synth();

  expect(printed.mock.calls).toEqual([[WARNING]]);
  expect(readdirSync(app.outdir)).toHaveLength(2);
});

test('a construct with invalid props can be used by others, which report their own problems', () => {
  const chart = Testing.chart();
  const operator = new SparkOperator(chart, 'operator', { replicas: 0.5, jobNamespaces: [] });
  const jobs = new SparkJobNamespace(chart, 'jobs', { name: 'jobs', operator, quota: { pods: 1.5 } });
  jobs.addSparkConf('spark.a', 'b');
  expect(problemsOf(chart)).toEqual([
    '[test/operator] replicas = 0.5 must be a whole number of at least 0',
    '[test/jobs] quota.pods = 1.5 must be a whole number of at least 0',
    expect.stringContaining('[test/jobs] addSparkConf has no effect'),
  ]);
});

test('each validation returns the same', () => {
  const broken = new SparkApplication(Testing.chart(), 'pi', { ...OVERRIDDEN, driver: { cores: 0 } });
  const first = broken.node.validate();
  expect(first).toEqual(['driver.cores = 0 must be at least 1']);
  for (let count = 0; count < 3; count++) expect(broken.node.validate()).toEqual(first);
});

test('a change between two validations counts', () => {
  const application = new SparkApplication(Testing.chart(), 'pi', PYTHON);
  expect(application.node.validate()).toEqual([]);
  application.resource.addJsonPatch(JsonPatch.add('/spec/driver/cores', 0));
  expect(application.node.validate()).toEqual(['driver.cores = 0 must be at least 1']);
});

test('the resource of a construct reports nothing itself, so that a problem is reported once', () => {
  const broken = new SparkApplication(Testing.chart(), 'pi', { ...PYTHON, driver: { cores: 0 } });
  expect(broken.resource.node.validate()).toEqual([]);
  expect(problemsOf(broken)).toHaveLength(1);
});

test('a manifest is rendered without checks', () => {
  const { resource } = new SparkApplication(Testing.chart(), 'pi', { ...PYTHON, driver: { cores: 0 } });
  expect(resource.toJson().spec.driver.cores).toBe(0);
});

describe('an invalid name', () => {
  const CONNECT = { sparkVersion: '4.1.1', image: 'i', server: {}, executor: {} };

  test.each<[string, (chart: Chart) => Construct, string]>([
    ['construct', (chart) => new SparkConnect(chart, 'n', { sparkVersion: '4.1.1' }), 'must begin with a letter'],
    ['resource', (chart) => new ApiSparkConnect(chart, 'n'.repeat(70), { spec: CONNECT }), 'must have at most 56 characters'],
  ])('of a %s that cdk8s derived from the path says so', (_, make, reason) => {
    const construct = make(new Chart(Testing.app(), '1'));
    const [problem, ...others] = problemsOf(construct);
    expect(problem).toContain(`[${construct.node.path}] metadata.name = "`);
    expect(problem).toContain(reason);
    expect(problem!.endsWith('; cdk8s derived it from the path of the construct: set metadata.name')).toBe(true);
    expect(others).toEqual([]);
  });

  test('of the user does not', () => {
    const problems = problemsOf(new SparkApplication(Testing.chart(), 'pi', { ...PYTHON, metadata: { name: 'Pi' } }));
    expect(problems).toEqual([expect.stringContaining('[test/pi] metadata.name = "Pi" must be made of lower-case letters')]);
    expect(problems[0]).not.toContain('derived');
  });
});

test('a text instead of an object is reported as such', () => {
  const chart = Testing.chart();
  const specs = { text: 'pi', none: undefined, null: null };
  for (const [id, spec] of Object.entries(specs)) new ApiSparkApplication(chart, id, { spec: spec as any });
  expect(problemsOf(chart)).toEqual([
    '[test/text] spec = "pi" must be an object', '[test/none] spec is required', '[test/null] spec is required',
  ]);
});
