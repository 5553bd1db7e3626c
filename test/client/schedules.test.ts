import { Duration } from 'cdk8s';
import { ConcurrencyPolicy, Schedule, SparkApplicationType } from '../../src';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../src/model/resources';
import type { ScheduledSparkApplication } from '../../src/model/scheduled-spark-application';
import { runNowName } from '../../src/model/run-names';
import { ClientFixture } from './client-fixture';

const PROPS = {
  schedule: Schedule.cron('0 3 * * *'), template: {
    type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py',
  },
};
const REF = { namespace: 'jobs', name: 'nightly' };
const TOKEN = '2026-03-01T10:00:00.000Z';

let fixture: ClientFixture;
beforeEach(() => { fixture = new ClientFixture(); });
afterEach(() => fixture.client.close());

const schedule = () => fixture.server.get(SCHEDULED_SPARK_APPLICATIONS, REF);
const operatorSays = (status: object) => (
  fixture.server.updateStatus('operator', SCHEDULED_SPARK_APPLICATIONS, { ...schedule(), status: { ...schedule().status, ...status } })
);
const nameOfRun = () => runNowName(schedule() as unknown as ScheduledSparkApplication, TOKEN);
const startRun = () => fixture.server.create('operator', SPARK_APPLICATIONS, {
  metadata: { namespace: 'jobs', name: nameOfRun() }, spec: {},
});

test('a schedule is created, and updated the next time', async () => {
  const first = await fixture.client.submitSchedule('nightly', PROPS);
  const second = await fixture.client.submitSchedule({ name: 'nightly', labels: { team: 'data' } }, {
    ...PROPS, concurrency: ConcurrencyPolicy.FORBID,
  });

  expect(second.metadata).toMatchObject({ uid: first.metadata.uid, labels: { team: 'data' } });
  expect(second.spec).toMatchObject({ schedule: '0 3 * * *', concurrencyPolicy: 'Forbid' });
});

test('a schedule needs its own name', async () => {
  await expect(fixture.client.submitSchedule({ generateName: 'nightly-' }, PROPS)).rejects.toThrow('a schedule needs a name');
});

test('run now: the client sends the request after the first reconcile, and returns the run', async () => {
  const run = fixture.client.runNow(await fixture.client.submitSchedule('nightly', PROPS));
  await fixture.arrival('list scheduledsparkapplications');
  expect(schedule().metadata.annotations).toBeUndefined();
  const asked = fixture.arrival('patch nightly');
  operatorSays({ observedGeneration: 1 });
  await asked;
  startRun();
  operatorSays({ lastRunNow: TOKEN });

  expect((await run).metadata.name).toBe(nameOfRun());
});

test('run now: the operator skips it', async () => {
  await fixture.client.submitSchedule('nightly', PROPS);
  operatorSays({ observedGeneration: 1 });
  const asked = fixture.arrival('patch nightly');
  const run = fixture.client.runNow('nightly');
  await asked;
  operatorSays({ lastRunNow: TOKEN });

  await expect(run).rejects.toMatchObject({
    name: 'RunNotStartedError', reason: 'skipped', message: expect.stringContaining('concurrencyPolicy forbids a second one'),
  });
});

test('run now: no operator handles the namespace', async () => {
  await fixture.client.submitSchedule('nightly', PROPS);
  const run = fixture.client.runNow('nightly', { timeout: Duration.minutes(1) });
  await fixture.arrival('list scheduledsparkapplications');
  fixture.timeIsOver();

  await expect(run).rejects.toMatchObject({
    reason: 'timed out',
    message: 'no operator has reconciled ScheduledSparkApplication jobs/nightly within 60 s, and no run is requested: check whether an operator handles this namespace',
  });
});
