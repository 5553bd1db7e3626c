import { Chart, Duration, Size, Testing } from 'cdk8s';
import {
  LocalDir, RestartPolicy, ScheduledSparkApplication, Schedule, SparkApplication, type SparkApplicationProps, SparkApplicationType, SparkConnect,
  SparkProfile, SparkRole,
} from '../../src';
import { problemsOf, synthesized } from '../constructs/synthesis';

const PROGRAM = { type: SparkApplicationType.PYTHON, mainApplicationFile: 'local:///pi.py' };
const TEAM = SparkProfile.of({
  sparkVersion: '4.1.1',
  image: 'registry.example.org/spark:1',
  pods: { labels: { team: 'ads' }, env: { STAGE: 'production', REGION: 'eu' }, tolerations: [{ key: 'spark', operator: 'Exists' }] },
  driver: { memory: Size.gibibytes(2) },
  executor: { instances: 10, cores: 4 },
  sparkConf: { 'spark.sql.adaptive.enabled': 'true', 'spark.sql.shuffle.partitions': '200' },
  restartPolicy: RestartPolicy.onFailure({ retries: 3 }),
  timeToLive: Duration.days(1),
});
const application = (props: Partial<SparkApplicationProps> = {}) => new SparkApplication(Testing.chart(), 'pi', { ...PROGRAM, profile: TEAM, ...props });
const specOf = (props: Partial<SparkApplicationProps> = {}) => synthesized(application(props))[0].spec;

test('an application takes what it does not set', () => {
  const labels = { team: 'ads' };
  const env = [{ name: 'STAGE', value: 'production' }, { name: 'REGION', value: 'eu' }];
  const tolerations = [{ key: 'spark', operator: 'Exists' }];
  expect(specOf()).toMatchObject({
    sparkVersion: '4.1.1',
    image: 'registry.example.org/spark:1',
    driver: { memory: '2g', labels, env, tolerations, serviceAccount: 'spark' },
    executor: { instances: 10, cores: 4, labels, env, tolerations },
    timeToLiveSeconds: 86400,
    restartPolicy: { type: 'OnFailure', onFailureRetries: 3 },
  });
});

test('maps are merged key by key, lists entry by entry, and other values replace', () => {
  const { driver, executor, sparkConf } = specOf({
    driver: { memory: Size.gibibytes(4), env: { REGION: 'us', DEBUG: '1' }, labels: { job: 'pi' } },
    executor: { instances: 2 },
    sparkConf: { 'spark.sql.shuffle.partitions': '64' },
  });
  expect(driver).toMatchObject({
    memory: '4g', labels: { team: 'ads', job: 'pi' },
    env: [{ name: 'STAGE', value: 'production' }, { name: 'REGION', value: 'us' }, { name: 'DEBUG', value: '1' }],
  });
  expect(executor).toMatchObject({ instances: 2, cores: 4, labels: { team: 'ads' } });
  expect(sparkConf).toEqual({ 'spark.sql.adaptive.enabled': 'true', 'spark.sql.shuffle.partitions': '64' });
});

test('a setting in another place takes precedence, too', () => {
  const { driver } = specOf({ sparkConf: { 'spark.driver.memory': '8g' } });
  expect(driver).not.toHaveProperty('memory');
});

test('methods take precedence', () => {
  const app = application();
  app.addEnv('REGION', 'us', { roles: [SparkRole.DRIVER] });
  app.addSparkConf('spark.sql.adaptive.enabled', 'false');
  const { driver, executor, sparkConf } = synthesized(app)[0].spec;
  expect(driver.env).toContainEqual({ name: 'REGION', value: 'us' });
  expect(executor.env).toContainEqual({ name: 'REGION', value: 'eu' });
  expect(sparkConf['spark.sql.adaptive.enabled']).toBe('false');
});

test('an extended profile takes precedence over the first, which stays as it is', () => {
  const large = TEAM.extend({ executor: { instances: 50 }, pods: { labels: { size: 'large' } } });
  expect(specOf({ profile: large }).executor).toMatchObject({ instances: 50, cores: 4, labels: { team: 'ads', size: 'large' } });
  expect(specOf().executor).toMatchObject({ instances: 10, labels: { team: 'ads' } });
});

test('schedules and servers take profiles', () => {
  const chart = new Chart(Testing.app(), 'test', { namespace: 'team-a' });
  new ScheduledSparkApplication(chart, 'nightly', { schedule: Schedule.cron('0 3 * * *'), template: { ...PROGRAM, profile: TEAM } });
  new SparkConnect(chart, 'notebooks', { profile: TEAM, server: { cores: 2 } });
  const [schedule, connect] = Testing.synth(chart);
  expect(schedule.spec.template).toMatchObject({ sparkVersion: '4.1.1', executor: { instances: 10 } });
  expect(connect.spec).toMatchObject({
    sparkVersion: '4.1.1', image: 'registry.example.org/spark:1',
    server: { cores: 2, memory: '2g', template: { spec: { tolerations: [{ key: 'spark', operator: 'Exists' }], serviceAccountName: 'spark' } } },
    executor: { instances: 10, cores: 4 },
    sparkConf: { 'spark.kubernetes.driver.label.team': 'ads', 'spark.kubernetes.executor.label.team': 'ads', 'spark.sql.adaptive.enabled': 'true' },
  });
});

test('local directories of an application replace those of the profile', () => {
  const profile = TEAM.extend({ localDirs: [LocalDir.emptyDir({ path: '/a' }), LocalDir.emptyDir({ path: '/b' })] });
  const paths = (props: Partial<SparkApplicationProps>) => specOf({ profile, ...props }).executor.volumeMounts.map(({ mountPath }: any) => mountPath);
  expect(paths({})).toEqual(['/a', '/b']);
  expect(paths({ localDirs: [LocalDir.emptyDir({ path: '/c' })] })).toEqual(['/c']);
});

test('a profile without the version of Spark leaves it to the application', () => {
  const profile = SparkProfile.of({ image: 'i' });
  expect(problemsOf(application({ profile }))).toEqual(['[test/pi] sparkVersion is missing; set it here or in the profile, such as 4.1.1']);
  expect(specOf({ profile, sparkVersion: '4.0.0' }).sparkVersion).toBe('4.0.0');
});

test('a profile rejects what it can check alone', () => {
  expect(() => SparkProfile.of({ driver: { memory: Size.kibibytes(1) }, image: 'A B' })).toThrow(
    /^SparkProfile.of: image = "A B" is not the name of an image.*; driver.memory = "1Ki" must be whole MiB/,
  );
  expect(() => TEAM.extend({ timeToLive: Duration.millis(5) })).toThrow('SparkProfile.extend: timeToLive = "5 ms" must be whole seconds');
});
