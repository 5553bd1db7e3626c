/* Which run comes in the place of others, when several want to. */
import { CatchUpPolicy, ConcurrencyPolicy } from '../../../src/api/scheduled-spark-application';
import { timesOf, World, type Spec } from './world';

const ask = (world: World, token: string) => world.annotate({ 'sparkoperator.k8s.io/run-now': token });

/** A run that was asked for at 10:55 waits for the driver of another one. */
async function waiting(spec: Spec): Promise<World> {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '0 * * * *', concurrencyPolicy: ConcurrencyPolicy.REPLACE, ...spec });
  await world.look();
  ask(world, 'first');
  await world.look();
  world.setDriver(world.names[0]!, 'Running');
  await world.goOnUntil('2026-03-01T10:55:00Z');
  ask(world, 'second');
  await world.look();
  return world;
}

test.each<Spec>([{}, { catchUpPolicy: CatchUpPolicy.NONE, startingDeadlineSeconds: 60 }])('with %j what becomes due while a run that was asked for waits is settled, and does not end that run', async (spec) => {
  const world = await waiting(spec);
  await world.goOnUntil('2026-03-01T11:30:00Z');
  expect(world.names).toEqual([]);
  expect(world.status).toMatchObject({ nextRun: '2026-03-01T12:00:00Z', conditions: [{ status: 'True', reason: 'Replacing', message: expect.stringMatching(/^nightly-now-/) }] });
  expect(world.counts).toContainEqual({ kind: 'skipped', reason: 'superseded', runs: 1 });
  expect(world.events).toContainEqual(expect.stringMatching(/^ScheduledRunSkipped: Skipped the run of 2026-03-01T11:00:00Z: nightly-now-.*, which was asked for, comes later/));
  const created: string[] = [];
  world.server.onCreated = ({ metadata }) => created.push(metadata.name);
  world.setDriver([...world.server.leaving][0]!.replace(/-driver$/, ''));
  await world.goOnUntil('2026-03-01T11:59:00Z');
  expect(created).toEqual([expect.stringMatching(/^nightly-now-/)]);
  expect(world.names).toEqual(created);
  await world.goOnUntil('2026-03-01T12:01:00Z');
  expect(timesOf(world.runs)).toEqual(['2026-03-01T12:00:00Z']);
});

test('a run that was asked for after a time is not ended by the run of that time', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '0 * * * *', concurrencyPolicy: ConcurrencyPolicy.REPLACE });
  await world.look();
  world.clock.advance(3_600_000 + 20_000);
  ask(world, 'now');
  await world.look();
  expect(world.names).toEqual([expect.stringMatching(/^nightly-now-/)]);
  expect(world.status.nextRun).toBe('2026-03-01T12:00:00Z');
});

test('a deadline holds for a run that became due after the one that others were deleted for', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.REPLACE, startingDeadlineSeconds: 20 });
  await world.goOnUntil('2026-03-01T10:11:00Z');
  const [first] = world.names;
  world.setDriver(first!, 'Running');
  await world.goOnUntil('2026-03-01T10:25:00Z');
  world.clock.advance(10 * 60_000);
  world.setDriver(first!);
  await world.look();
  // That of 10:30 came too late.
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:20:00Z']);
  expect(world.counts).toContainEqual({ kind: 'skipped', reason: 'deadline', runs: 1 });
});

test.each<[Spec, object]>([
  [{ suspend: true }, { reason: 'spec.suspend is true' }],
  [{ schedule: 'nonsense' }, { scheduleState: 'FailedValidation' }],
])('while a run that was asked for waits, %j is shown', async (edit, shown) => {
  const world = await waiting({});
  world.edit(edit);
  await world.look();
  expect(world.status).toMatchObject(shown);
  expect(world.status.nextRun).toBeUndefined();
});

test('a run in whose place another one was deleted begins also where the API server does not keep the condition', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.REPLACE, startingDeadlineSeconds: 20 });
  world.server.drops = ['observedGeneration', 'conditions', 'scheduleHash', 'lastRunNow'];
  await world.goOnUntil('2026-03-01T10:11:00Z');
  const [first] = world.names;
  world.setDriver(first!, 'Running');
  await world.goOnUntil('2026-03-01T10:20:40Z');
  world.setDriver(first!);
  await world.goOnUntil('2026-03-01T10:22:00Z');
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:20:00Z']);
});
