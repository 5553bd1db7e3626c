import { Duration } from 'cdk8s';
import { ConcurrencyPolicy, Schedule, SparkApplicationType } from '../../src';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../src/model/resources';
import type { ScheduledSparkApplication } from '../../src/model/scheduled-spark-application';
import { runNowName } from '../../src/model/run-names';
import { World } from './world';

const PROPS = { schedule: Schedule.cron('0 3 * * *'), template: { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py' } };
const REF = { namespace: 'jobs', name: 'nightly' };
const TOKEN = '2026-03-01T10:00:00.000Z';

let world: World;
beforeEach(() => { world = new World(); });
afterEach(() => world.client.close());

const schedule = () => world.server.get(SCHEDULED_SPARK_APPLICATIONS, REF);
const operatorSays = (status: object) => (
  world.server.updateStatus('operator', SCHEDULED_SPARK_APPLICATIONS, { ...schedule(), status: { ...schedule().status, ...status } })
);
const nameOfRun = () => runNowName(schedule() as unknown as ScheduledSparkApplication, TOKEN);
const startRun = () => world.server.create('operator', SPARK_APPLICATIONS, { metadata: { namespace: 'jobs', name: nameOfRun() }, spec: {} });

test('a schedule is created, and becomes as it is written the next time', async () => {
  const first = await world.client.submitSchedule('nightly', PROPS);
  const second = await world.client.submitSchedule({ name: 'nightly', labels: { team: 'data' } }, { ...PROPS, concurrency: ConcurrencyPolicy.FORBID });

  expect(second.metadata).toMatchObject({ uid: first.metadata.uid, labels: { team: 'data' } });
  expect(second.spec).toMatchObject({ schedule: '0 3 * * *', concurrencyPolicy: 'Forbid' });
});

test('it has a name of its own', async () => {
  await expect(world.client.submitSchedule({ generateName: 'nightly-' }, PROPS)).rejects.toThrow('a schedule needs a name');
});

test('run now: when the operator has seen the schedule it is asked, and the run is the answer', async () => {
  const run = world.client.runNow(await world.client.submitSchedule('nightly', PROPS));
  await world.arrival('list scheduledsparkapplications');
  expect(schedule().metadata.annotations).toBeUndefined();
  const asked = world.arrival('patch nightly');
  operatorSays({ observedGeneration: 1 });
  await asked;
  startRun();
  operatorSays({ lastRunNow: TOKEN });

  expect((await run).metadata.name).toBe(nameOfRun());
});

test('run now: the operator skips it', async () => {
  await world.client.submitSchedule('nightly', PROPS);
  operatorSays({ observedGeneration: 1 });
  const asked = world.arrival('patch nightly');
  const run = world.client.runNow('nightly');
  await asked;
  operatorSays({ lastRunNow: TOKEN });

  await expect(run).rejects.toMatchObject({ name: 'RunNotStartedError', reason: 'skipped', message: expect.stringContaining('concurrencyPolicy forbids it') });
});

test('run now: nobody is there to do it', async () => {
  await world.client.submitSchedule('nightly', PROPS);
  const run = world.client.runNow('nightly', { timeout: Duration.minutes(1) });
  await world.arrival('list scheduledsparkapplications');
  world.timeIsOver();

  await expect(run).rejects.toMatchObject({ reason: 'timed out', message: 'no operator has looked at the schedule jobs/nightly within 60 s: see whether one runs for this namespace' });
});
