import { Duration, JsonPatch, Size, Testing } from 'cdk8s';
import { CatchUpPolicy, ConcurrencyPolicy, LocalDir, Schedule, ScheduledSparkApplication, type ScheduledSparkApplicationProps, SparkApplication, type SparkApplicationTemplate, SparkApplicationType } from '../../src';

const TEMPLATE: SparkApplicationTemplate = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/app/main.py' };

const scheduled = (props: Partial<ScheduledSparkApplicationProps> = {}) => new ScheduledSparkApplication(Testing.chart(), 'nightly', {
  metadata: { name: 'nightly' }, schedule: Schedule.cron('30 2 * * *'), template: TEMPLATE, ...props,
});

test('defaults: no more than what is said, and the template is what a SparkApplication would be', () => {
  const chart = Testing.chart();
  new SparkApplication(chart, 'one', TEMPLATE);
  const [application] = Testing.synth(chart);

  expect(JSON.parse(JSON.stringify(scheduled().resource.toJson()))).toEqual({
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'ScheduledSparkApplication',
    metadata: { name: 'nightly' },
    spec: { schedule: '30 2 * * *', template: application.spec },
  });
});

test('all props', () => {
  const { spec } = scheduled({
    timeZone: 'Europe/Berlin', concurrency: ConcurrencyPolicy.FORBID, successfulRunHistoryLimit: 3, failedRunHistoryLimit: 0, suspend: true,
    startingDeadline: Duration.minutes(30), catchUp: CatchUpPolicy.NONE,
    template: { ...TEMPLATE, driver: { memory: Size.gibibytes(2) }, timeToLive: Duration.days(1) },
  }).resource.toJson();

  expect(spec).toMatchObject({
    timeZone: 'Europe/Berlin', concurrencyPolicy: 'Forbid', successfulRunHistoryLimit: 3, failedRunHistoryLimit: 0, suspend: true, startingDeadlineSeconds: 1800, catchUpPolicy: 'None',
    template: { driver: { memory: '2g', serviceAccount: 'spark' }, timeToLiveSeconds: 86_400 },
  });
});

test('the next runs, by the clocks of the zone: on the day on which they skip the time there is none', () => {
  expect(scheduled({ timeZone: 'Europe/Berlin' }).nextRuns(3, new Date('2026-03-27T12:00:00Z'))).toEqual([
    '2026-03-28T01:30:00.000Z', '2026-03-30T00:30:00.000Z', '2026-03-31T00:30:00.000Z',
  ]);
  expect(scheduled({ schedule: Schedule.every(Duration.hours(6)) }).nextRuns(2, new Date('2026-03-01T01:00:00Z'))).toEqual(['2026-03-01T07:00:00.000Z', '2026-03-01T13:00:00.000Z']);
  expect(() => scheduled().nextRuns(0)).toThrow('ScheduledSparkApplication at test/nightly: nextRuns: count (0) must be a whole number from 1 to 10000');
  expect(scheduled({ schedule: Schedule.every(Duration.seconds(9_000_000_000)) }).nextRuns(10_000, new Date('2026-03-01')).length).toBeLessThan(1000);
  expect(() => scheduled().nextRuns(1, new Date('x'))).toThrow('ScheduledSparkApplication at test/nightly: nextRuns: after is not a time');
  expect(Date.parse(scheduled().nextRuns(1)[0]!)).toBeGreaterThan(Date.now());
});

test('what is wrong is told in the words of the props', () => {
  expect(() => scheduled({ timeZone: 'Berlin', successfulRunHistoryLimit: 1001, template: { ...TEMPLATE, mainApplicationFile: '', executor: { instances: 0.5 }, ui: { port: 0 } } })).toThrow([
    'ScheduledSparkApplication at test/nightly would be refused:',
    '  successfulRunHistoryLimit (1001) must be at most 1000',
    '  timeZone ("Berlin") is not a known time zone; write a name of the IANA database, such as Europe/Berlin or UTC',
    '  template.mainApplicationFile ("") must not be empty',
    '  template.executor.instances (0.5) must be a whole number',
    '  template.ui.port (0) must be at least 1',
  ].join('\n'));
  expect(() => scheduled({ startingDeadline: Duration.millis(1500), template: { ...TEMPLATE, type: SparkApplicationType.SCALA } })).toThrow([
    'ScheduledSparkApplication at test/nightly would be refused:',
    '  startingDeadline ("1500 ms") must be whole seconds, at least 1',
    '  template.mainClass is missing; a Scala application needs the name of the class with its main method',
  ].join('\n'));
  expect(() => scheduled({ template: { ...TEMPLATE, driver: { javaOptions: '-Xmx1g' } } })).toThrow('template.driver.javaOptions ("-Xmx1g") must not have -Xmx');
});

test('what would be lost is refused', () => {
  expect(() => scheduled({ schedule: Schedule.cron('TZ=Europe/Berlin 0 3 * * *'), timeZone: 'America/New_York' })).toThrow(
    'timeZone ("America/New_York") is not the zone of the schedule, Europe/Berlin, which would count: remove one of the two',
  );
  expect(() => scheduled({ template: { ...TEMPLATE, metadata: { labels: { a: 'b' } } } as SparkApplicationTemplate })).toThrow('template.metadata has no effect on runs');
});

test('runs have local directories, and an image by property wins over the default', () => {
  const { template } = scheduled({ template: { ...TEMPLATE, localDirs: [LocalDir.emptyDir({ path: '/scratch' })], sparkConf: { 'spark.kubernetes.container.image': 'i' } } }).resource.toJson().spec;
  expect(template.volumes).toEqual([{ name: 'spark-local-dir-1', emptyDir: {} }]);
  expect(template.executor.volumeMounts).toEqual([{ name: 'spark-local-dir-1', mountPath: '/scratch' }]);
  expect(template).not.toHaveProperty('image');
});

test('a patch that takes the template away is told of', () => {
  const { resource } = scheduled();
  resource.addJsonPatch(JsonPatch.remove('/spec/template'));
  expect(() => resource.toJson()).toThrow('template is required');
});
