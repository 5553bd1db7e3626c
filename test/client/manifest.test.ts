import { Chart, Duration, Size, Testing } from 'cdk8s';
import {
  ConcurrencyPolicy, DynamicAllocation, RestartPolicy, Schedule, ScheduledSparkApplication, SparkApplication, SparkApplicationType,
  type ScheduledSparkApplicationProps, type SparkApplicationProps,
} from '../../src';
import { applicationFromManifest, applicationFromProps, scheduleFromProps, type NameOrTarget } from '../../src/client/manifest';

const COMPLETION = { namespace: 'jobs', requestId: 'run-1' };

const PYTHON = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py' } as const;

const JAVA: SparkApplicationProps = {
  type: SparkApplicationType.JAVA,
  sparkVersion: '4.1.1',
  mainClass: 'Pi',
  mainApplicationFile: 'local:///opt/spark/pi.jar',
  metadata: { labels: { team: 'data' } },
  image: 'registry.example.org/spark:1',
  restartPolicy: RestartPolicy.onFailure({ retries: 2, interval: Duration.minutes(1) }),
  dynamicAllocation: DynamicAllocation.upTo(5),
  driver: {
    memory: Size.gibibytes(2), env: { MODE: 'fast' }, template: {
      spec: { containers: [{ name: 'spark', resources: { limits: { cpu: 2 as any } } }] },
    } as any,
  },
  executor: { memoryOverhead: Size.mebibytes(512), secretEnv: { PASSWORD: { name: 'store', key: 'password' } } },
};

/** Returns the manifest that the construct synthesizes from props. */
function synthesized<P>(construct: new (scope: Chart, id: string, props: P) => unknown, props: P): any {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'jobs' });
  new construct(chart, 'it', { ...props, metadata: { name: 'it', ...(props as SparkApplicationProps).metadata } });
  return Testing.synth(chart)[0];
}

test.each([
  ['a small application', PYTHON as SparkApplicationProps], ['one with much of everything', JAVA],
])('%s equals the manifest that the construct synthesizes', async (_, props) => {
  const { apiVersion, kind, spec, metadata } = await applicationFromProps('it', props, COMPLETION);
  const expected = synthesized(SparkApplication, props);

  expect({ apiVersion, kind, spec }).toEqual({ apiVersion: expected.apiVersion, kind: expected.kind, spec: expected.spec });
  expect(metadata).toMatchObject({ name: 'it', namespace: 'jobs' });
  expect(metadata.labels).toEqual(expected.metadata.labels);
});

test('a schedule equals the manifest that the construct synthesizes', async () => {
  const props: ScheduledSparkApplicationProps = {
    schedule: Schedule.cron('0 3 * * *'), timeZone: 'Europe/Berlin', concurrency: ConcurrencyPolicy.FORBID,
    startingDeadline: Duration.hours(1), template: PYTHON,
  };

  expect((await scheduleFromProps('nightly', props, COMPLETION)).spec).toEqual(synthesized(ScheduledSparkApplication, props).spec);
});

test.each<[string, SparkApplicationProps]>([
  ['props that the manifest cannot hold', { ...PYTHON, driver: { memory: Size.mebibytes(256) } }],
  ['props that the API server would reject', {
    ...PYTHON, sparkConf: { 'spark.executor.instances': '0', 'spark.kubernetes.namespace': 'other' },
  }],
  ['props that Spark would reject', { ...PYTHON, driverIngresses: [{ port: 0 }] as any }],
])("%s are rejected at once with the construct's message", async (_, props) => {
  let words = '';
  try {
    synthesized(SparkApplication, props);
  } catch (error) {
    words = (error as Error).message.split('\n').slice(1).map((line) => line.replace('[chart/it] ', '')).join('\n');
  }
  expect(words).not.toBe('');
  await expect(applicationFromProps('it', props, COMPLETION)).rejects.toMatchObject({
    name: 'PropsError', message: `SparkApplication jobs/it would be rejected:\n${words}`,
  });
});

test('the template of a schedule is rejected with its path', async () => {
  const props = { schedule: Schedule.cron('0 3 * * *'), template: { ...PYTHON, driver: { memory: Size.mebibytes(256) } } };
  await expect(scheduleFromProps('nightly', props, COMPLETION)).rejects.toThrow('template.driver.memory');
});

describe('names', () => {
  const nameOf = async (target: NameOrTarget, props: SparkApplicationProps = PYTHON, requestId = 'run-1') => (
    (await applicationFromProps(target, props, { ...COMPLETION, requestId })).metadata.name
  );

  test("a generated one follows from the request, and leaves room for the driver's name", async () => {
    const name = await nameOf({ generateName: 'report-' });
    expect(name).toMatch(/^report-[0-9a-f]{10}$/);
    expect(await nameOf({ generateName: 'report-' })).toBe(name);
    expect(await nameOf({ generateName: 'report-' }, PYTHON, 'run-2')).not.toBe(name);
    expect(`${await nameOf({ generateName: 'x'.repeat(80) })}-driver`).toHaveLength(63);
  });

  test('explicit metadata takes precedence over that of the props', async () => {
    const props = { ...PYTHON, metadata: { name: 'of-the-props', namespace: 'theirs', labels: { team: 'data', tier: 'low' } } };
    const { metadata } = await applicationFromProps({ namespace: 'mine', labels: { tier: 'high' } }, props, COMPLETION);
    expect(metadata).toMatchObject({ name: 'of-the-props', namespace: 'mine', labels: { team: 'data', tier: 'high' } });
    expect(await nameOf('beside', props)).toBe('beside');
    expect(await nameOf({ generateName: 'many-' }, props)).toMatch(/^many-/);
  });

  test('one is required, and only one', async () => {
    await expect(nameOf({})).rejects.toThrow('a name is missing: pass name or generateName');
    await expect(nameOf('Pi_1')).rejects.toThrow('metadata.name = "Pi_1"');
  });
});

test('a manifest of another kind is rejected', () => {
  const manifest = { apiVersion: 'sparkoperator.k8s.io/v1beta1', kind: 'SparkApplication', metadata: { name: 'pi' }, spec: {} as any };
  expect(() => applicationFromManifest(manifest, COMPLETION)).toThrow(
    'apiVersion = "sparkoperator.k8s.io/v1beta1" must be sparkoperator.k8s.io/v1beta2',
  );
});
