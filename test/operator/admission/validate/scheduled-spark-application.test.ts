import { cluster } from '../../../plan/defaults/layers';
import { answerTo, creation, scheduled, update, validatorOf } from './questions';

const taken = { allowed: true };
const validate = validatorOf('ScheduledSparkApplication');

test('mistakes of the schedule and of the runs are reported together, with their fields', async () => {
  const { message } = await answerTo('ScheduledSparkApplication', {
    metadata: { name: 'n'.repeat(64) }, schedule: '0 0 31 2 *',
    template: { mainClass: undefined, driver: { memoryLimit: '1m', template: { spec: { containers: 'none' } } } },
  });
  expect(message!.split('\n  ').slice(1)).toEqual([
    expect.stringMatching(/^metadata.name .*at most 63 characters, as it becomes a label of its runs/),
    expect.stringMatching(/^spec.schedule .*write another day/),
    'spec.template.driver.template.spec.containers = "none" must be a list',
  ]);
  expect((await answerTo('ScheduledSparkApplication', { template: { driver: { memoryLimit: '1m' } } })).message).toBe(
    'spec.template.driver.memoryLimit = "1m" is less than the 1408Mi that memory and overhead need; write at least 1408Mi, or lower spec.template.driver.memory',
  );
});

test('values of the user stay unchanged, even if they look like fields', async () => {
  const { message } = await answerTo('ScheduledSparkApplication', { template: { mainApplicationFile: '/home/spec.driver/a.jar' } });
  expect(message).toMatch(/^spec.template.mainApplicationFile = "\/home\/spec.driver\/a.jar" /);
});

test('stored parts are not checked again: neither runs with a new schedule, nor a schedule with new runs', async () => {
  const stored = scheduled({ template: { mainClass: undefined } });
  expect(await validate(update('ScheduledSparkApplication', scheduled({
    template: { mainClass: undefined }, schedule: '@daily',
  }), stored))).toEqual(taken);
  expect(await validate(update('ScheduledSparkApplication', scheduled({
    template: { mainClass: undefined }, schedule: '0 0 31 2 *',
  }), stored))).toMatchObject({ allowed: false, message: expect.stringMatching(/^spec.schedule /) });
  const never = scheduled({ schedule: '0 0 31 2 *' });
  expect(await validate(update('ScheduledSparkApplication', scheduled({
    schedule: '0 0 31 2 *', template: { driver: { cores: 2 } },
  }), never))).toEqual(taken);
  expect(await validate(update('ScheduledSparkApplication', { ...never, spec: { ...never.spec, suspend: true } }, never))).toEqual(taken);
});

test.each(['constructor', '__proto__', 'toString'])('the schedule %s is invalid', async (schedule) => {
  expect(await answerTo('ScheduledSparkApplication', { schedule })).toMatchObject({
    allowed: false, message: expect.stringContaining('must have five fields'),
  });
});

test('limits apply to its runs, quotas to each of them', async () => {
  const layers = { cluster: cluster({ limits: 'maxExecutors: 1' }) };
  const quotas = () => Promise.reject(new Error('nobody asks'));
  const many = { template: { executor: { instances: 9 } } };
  expect(await answerTo('ScheduledSparkApplication', many, { layers, quotas })).toMatchObject({
    allowed: false, message: expect.stringMatching(/^spec.template.executor.instances = "9" /),
  });
  expect(await answerTo('ScheduledSparkApplication', many, { quotas })).toEqual(taken);
});

test('a schedule that runs more often than the cluster or the namespace allows is rejected, one that is stored only if it is '
  + 'changed', async () => {
  const layers = { cluster: cluster({ limits: 'minScheduleInterval: 15m' }) };
  const question = (schedule: string, operator: object) => answerTo('ScheduledSparkApplication', { schedule }, operator);
  expect(await question('*/5 * * * *', { layers })).toMatchObject({
    allowed: false,
    message: 'spec.schedule = "*/5 * * * *" has runs 5m apart, which is less than ConfigMap spark-operator/spark-operator-defaults '
      + 'allows (limits.yaml: minScheduleInterval: 15m); '
      + 'write a schedule with at least 15m between two runs, or ask the owner of the ConfigMap',
  });
  expect(await question('@every 59s', { minScheduleInterval: 60_000 })).toMatchObject({
    allowed: false, message: expect.stringMatching(/has runs 59s apart, .*--min-schedule-interval=1m/),
  });
  expect([await question('*/15 * * * *', { layers }), await question('@every 1s', {})]).toEqual([taken, taken]);
  const of = (schedule: string, suspend: boolean) => scheduled({ schedule, suspend });
  const asked = validatorOf('ScheduledSparkApplication', { layers });
  expect(await asked(update('ScheduledSparkApplication', of('* * * * *', true), of('* * * * *', false)))).toEqual(taken);
  expect(await asked(
    update('ScheduledSparkApplication', of('*/2 * * * *', true), of('* * * * *', false)),
  )).toMatchObject({ allowed: false });
});

test('the time to live of its runs can be changed, whatever else is stored', async () => {
  const layers = { cluster: cluster({ limits: 'maxExecutors: 1\nmaxTimeToLiveSeconds: 3600' }) };
  const of = (timeToLiveSeconds?: number) => scheduled({ template: { executor: { instances: 9 }, timeToLiveSeconds } });
  expect(await validatorOf('ScheduledSparkApplication', { layers })(update('ScheduledSparkApplication', of(60), of()))).toEqual(taken);
  expect(await validatorOf('ScheduledSparkApplication', { layers })(update('ScheduledSparkApplication', of(7200), of()))).toMatchObject({
    allowed: false, message: expect.stringMatching(/^spec.template.timeToLiveSeconds = "7200" /),
  });
});

test('JVM options and ephemeral containers that prevent the start of runs', async () => {
  const ephemeralContainers = [{ name: 'debug', image: 'busybox' }];
  expect((await answerTo('ScheduledSparkApplication', { template: { executor: { javaOptions: '-Xmx4g' } } })).message).toBe(
    'spec.template.executor.javaOptions = "-Xmx4g" must not have -Xmx, which Spark rejects; set spec.template.executor.memory',
  );
  expect((await answerTo('ScheduledSparkApplication', {
    template: { executor: { template: { spec: { ephemeralContainers } } } },
  })).message).toMatch(/^spec.template.executor.template.spec.ephemeralContainers .*write it as a sidecar/);
});

test('settings without an effect in its runs are reported', async () => {
  expect(await answerTo('ScheduledSparkApplication', { template: { mode: 'client' } })).toEqual({
    allowed: true, warnings: [expect.stringMatching(/^spec.template.mode has no effect/)],
  });
});

test.each<[string, any]>([
  ['no specification', {}], ['a list', { spec: [] }], ['no template', { spec: { schedule: '@daily' } }],
  ['a template that is a text', { spec: { schedule: '@daily', template: 'pi' } }],
  ['numbers', { spec: { schedule: 5, timeZone: 3, template: { driver: 1 } } }],
])('an invalid object: %s', async (_, object) => {
  expect(await validate(creation('ScheduledSparkApplication', {
    metadata: { name: 'nightly' }, ...object,
  }))).toMatchObject({ allowed: false, code: 422 });
});
