import { intervalLimit } from '../../../src/plan/schedule/interval-limit';
import { cluster, namespace } from '../defaults/layers';
import { World } from '../../operator/kinds/scheduled-spark-application/world';

const MINUTE = 60_000;

test('the strictest of the flag and the ConfigMaps counts', () => {
  const layers = { cluster: cluster({ limits: 'minScheduleInterval: 1h30m' }), namespace: namespace({ limits: 'minScheduleInterval: 5m' }) };
  expect(intervalLimit(0)).toBeUndefined();
  expect(intervalLimit(0, { kind: 'ready', layers: {} })).toBeUndefined();
  expect(intervalLimit(15 * MINUTE)?.milliseconds).toBe(15 * MINUTE);
  expect(intervalLimit(15 * MINUTE, { kind: 'ready', layers })?.milliseconds).toBe(90 * MINUTE);
  expect(intervalLimit(15 * MINUTE, { kind: 'ready', layers: { namespace: layers.namespace } })?.milliseconds).toBe(15 * MINUTE);
});

test('a namespace whose ConfigMap cannot be read keeps the limit of the cluster', () => {
  const layers = { cluster: cluster({ limits: 'minScheduleInterval: 1h' }) };
  expect(intervalLimit(0, { kind: 'unusable', reason: 'not YAML', layers })?.milliseconds).toBe(60 * MINUTE);
  expect(intervalLimit(5 * MINUTE, { kind: 'unusable', reason: 'not read yet' })?.milliseconds).toBe(5 * MINUTE);
});

test('a stored schedule that runs too often says so once, has no runs, and is not reconciled in a loop', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '*/5 * * * *' });
  world.intervalLimit = intervalLimit(15 * MINUTE);
  expect(await world.look()).toBeUndefined();
  await world.look();
  const reason = 'spec.schedule = "*/5 * * * *" has runs 5m apart, which is less than the operator allows (--min-schedule-interval=15m); '
    + 'write a schedule with at least 15m between two runs, or ask the administrator of the operator';
  expect(world.status).toEqual({ scheduleState: 'FailedValidation', reason });
  expect(world.events).toEqual([`ScheduledSparkApplicationInvalid: The operator plans no run: ${reason}`]);
  expect(world.server.made.filter((call) => call.startsWith('update'))).toHaveLength(1);
  await world.goOnUntil('2026-03-01T12:00:00Z');
  expect(world.names).toEqual([]);

  // A change of the ConfigMaps reconciles all schedules.
  world.intervalLimit = undefined;
  await world.look();
  expect(world.status).toMatchObject({ scheduleState: 'Scheduled', nextRun: '2026-03-01T12:05:00Z' });
});

test('a run that a user asks for has no minimum interval', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 1m' });
  world.intervalLimit = intervalLimit(15 * MINUTE);
  await world.look();
  world.annotate({ 'sparkoperator.k8s.io/run-now': 'first' });
  await world.look();
  expect(world.names).toHaveLength(1);
});
