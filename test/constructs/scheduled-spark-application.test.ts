import { Duration, JsonPatch, Size, Testing } from 'cdk8s';
import { problemsOf, synthesized } from './synthesis';
import {
  CatchUpPolicy, ConcurrencyPolicy, LocalDir, Schedule, ScheduledSparkApplication, type ScheduledSparkApplicationProps,
  SparkApplication, type SparkApplicationTemplate, SparkApplicationType,
} from '../../src';

const TEMPLATE: SparkApplicationTemplate = {
  type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/app/main.py',
};

const scheduled = (props: Partial<ScheduledSparkApplicationProps> = {}) => new ScheduledSparkApplication(Testing.chart(), 'nightly', {
  metadata: { name: 'nightly' }, schedule: Schedule.cron('30 2 * * *'), template: TEMPLATE, ...props,
});

test('defaults: only what is set, and the template equals a SparkApplication', () => {
  const chart = Testing.chart();
  new SparkApplication(chart, 'one', TEMPLATE);
  const [application] = Testing.synth(chart);

  expect(synthesized(scheduled())[0]).toEqual({
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'ScheduledSparkApplication',
    metadata: { name: 'nightly' },
    spec: { schedule: '30 2 * * *', template: application.spec },
  });
});

test('all props', () => {
  const [{ spec }] = synthesized(scheduled({
    timeZone: 'Europe/Berlin', concurrency: ConcurrencyPolicy.FORBID, successfulRunHistoryLimit: 3, failedRunHistoryLimit: 0, suspend: true,
    startingDeadline: Duration.minutes(30), catchUp: CatchUpPolicy.NONE,
    template: { ...TEMPLATE, driver: { memory: Size.gibibytes(2) }, timeToLive: Duration.days(1) },
  }));

  expect(spec).toMatchObject({
    timeZone: 'Europe/Berlin', concurrencyPolicy: 'Forbid', successfulRunHistoryLimit: 3, failedRunHistoryLimit: 0, suspend: true,
    startingDeadlineSeconds: 1800, catchUpPolicy: 'None',
    template: { driver: { memory: '2g', serviceAccount: 'spark' }, timeToLiveSeconds: 86_400 },
  });
});

test('the next runs follow the clocks of the time zone: a skipped time has no run', () => {
  expect(scheduled({ timeZone: 'Europe/Berlin' }).nextRuns(3, new Date('2026-03-27T12:00:00Z'))).toEqual([
    '2026-03-28T01:30:00.000Z', '2026-03-30T00:30:00.000Z', '2026-03-31T00:30:00.000Z',
  ]);
  expect(scheduled({ schedule: Schedule.every(Duration.hours(6)) }).nextRuns(2, new Date('2026-03-01T01:00:00Z'))).toEqual([
    '2026-03-01T07:00:00.000Z', '2026-03-01T13:00:00.000Z',
  ]);
  expect(() => scheduled().nextRuns(0)).toThrow(
    'ScheduledSparkApplication at test/nightly: nextRuns: count = 0 must be a whole number from 1 to 10000',
  );
  expect(scheduled({
    schedule: Schedule.every(Duration.seconds(9_000_000_000)),
  }).nextRuns(10_000, new Date('2026-03-01')).length).toBeLessThan(1000);
  expect(() => scheduled().nextRuns(1, new Date('x'))).toThrow('ScheduledSparkApplication at test/nightly: nextRuns: after is not a time');
  expect(Date.parse(scheduled().nextRuns(1)[0]!)).toBeGreaterThan(Date.now());
});

test('problems are reported with the names of props', () => {
  expect(problemsOf(scheduled({
    timeZone: 'Berlin', successfulRunHistoryLimit: 1001, template: {
      ...TEMPLATE, mainApplicationFile: '', executor: { instances: 0.5 }, ui: { port: 0 },
    },
  }))).toEqual([
    '[test/nightly] successfulRunHistoryLimit = 1001 must be at most 1000',
    '[test/nightly] timeZone = "Berlin" is not a known time zone; write a name of the IANA database, such as Europe/Berlin or UTC',
    '[test/nightly] template.executor.instances = 0.5 must be a whole number',
    '[test/nightly] template.mainApplicationFile = "" must not be empty',
    '[test/nightly] template.ui.port = 0 must be at least 1',
  ]);
  expect(problemsOf(scheduled({
    startingDeadline: Duration.millis(1500), template: { ...TEMPLATE, type: SparkApplicationType.SCALA },
  }))).toEqual([
    '[test/nightly] startingDeadline = "1500 ms" must be whole seconds, at least 1',
    '[test/nightly] template.mainClass is missing; a Scala application needs the name of its main class',
    '[test/nightly] template.type is Scala, but Spark runs the main file as a Python file, by its name',
  ]);
  expect(() => synthesized(scheduled({
    template: { ...TEMPLATE, driver: { javaOptions: '-Xmx1g' } },
  }))).toThrow('template.driver.javaOptions = "-Xmx1g" must not have -Xmx');
});

test('settings without effect are rejected', () => {
  expect(() => synthesized(scheduled({
    schedule: Schedule.cron('TZ=Europe/Berlin 0 3 * * *'), timeZone: 'America/New_York',
  }))).toThrow(
    'timeZone = "America/New_York" differs from the zone of the schedule, Europe/Berlin, which would take precedence: remove one of them',
  );
  expect(() => synthesized(scheduled({
    template: { ...TEMPLATE, metadata: { labels: { a: 'b' } } } as SparkApplicationTemplate,
  }))).toThrow('template.metadata has no effect, because the operator names the runs');
});

test('runs have local directories, and an image by property takes precedence over the default', () => {
  const [{ spec: { template } }] = synthesized(scheduled({
    template: { ...TEMPLATE, localDirs: [LocalDir.emptyDir({ path: '/scratch' })], sparkConf: { 'spark.kubernetes.container.image': 'i' } },
  }));
  expect(template.volumes).toEqual([{ name: 'spark-local-dir-1', emptyDir: {} }]);
  expect(template.executor.volumeMounts).toEqual([{ name: 'spark-local-dir-1', mountPath: '/scratch' }]);
  expect(template).not.toHaveProperty('image');
});

test('a patch that removes the template is rejected', () => {
  const { resource } = scheduled();
  resource.addJsonPatch(JsonPatch.remove('/spec/template'));
  expect(problemsOf(resource)).toEqual(['[test/nightly] template is required']);
});
