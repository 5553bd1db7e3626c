/* The run that replaces others, if several want to. */
import { CatchUpPolicy, ConcurrencyPolicy } from '../../../../src/api/scheduled-spark-application';
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
  expect(world.events).toContainEqual(expect.stringMatching(/^ScheduledRunSkipped: Skipped the run of 2026-03-01T11:00:00Z: nightly-now-.*, which was requested, comes later/));
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

test('runs that become too late while a run waits to replace others are reported and counted once, when it has begun', async () => {
  const world = new World('2026-03-01T10:00:30Z', { schedule: '* * * * *', concurrencyPolicy: ConcurrencyPolicy.REPLACE, catchUpPolicy: CatchUpPolicy.ALL, startingDeadlineSeconds: 10 });
  await world.goOnUntil('2026-03-01T10:01:05Z');
  const [first] = world.names;
  world.setDriver(first!, 'Running');
  await world.goOnUntil('2026-03-01T10:05:20Z');
  expect(world.status).toMatchObject({ nextRun: '2026-03-01T10:02:00Z', conditions: [{ reason: 'Replacing', status: 'True' }] });
  const skipped = () => world.counts.filter(({ kind }) => kind === 'skipped');
  expect(skipped()).toEqual([]);
  world.setDriver(first!);
  await world.goOnUntil('2026-03-01T10:05:30Z');
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:02:00Z']);
  expect(skipped()).toEqual([{ kind: 'skipped', reason: 'deadline', runs: 3 }]);
  expect(world.events).toContainEqual(expect.stringContaining('Skipped 3 runs from 2026-03-01T10:03:00Z on'));
});

test('a missed run does not begin beside the driver of a run whose application was deleted', async () => {
  const world = new World('2026-03-01T10:00:30Z', { schedule: '* * * * *', concurrencyPolicy: ConcurrencyPolicy.REPLACE, catchUpPolicy: CatchUpPolicy.ALL });
  await world.goOnUntil('2026-03-01T10:01:05Z');
  const [first] = world.names;
  world.setDriver(first!, 'Running');
  world.clock.advance(300_000);
  await world.look();
  expect(world.names).toEqual([first]);
  await world.server.delete({ plural: 'sparkapplications' } as never, { namespace: 'jobs', name: first! });
  await world.look();
  expect(world.names).toEqual([]);
  expect(world.server.leaving).toEqual([`${first}-driver`]);
  expect(world.status.conditions).toMatchObject([{ status: 'True', reason: 'CatchingUp', message: expect.stringContaining(`when ${first}-driver has ended`) }]);
  world.setDriver(first!);
  await world.look();
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:02:00Z']);
  expect(world.counts.at(-1)).toMatchObject({ kind: 'started', trigger: 'catch-up' });
});

describe('a run that changes while it is to be deleted for another one', () => {
  const meanwhile = async (happens: (world: World, name: string) => void) => {
    const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.REPLACE });
    await world.goOnUntil('2026-03-01T10:11:00Z');
    const [first] = world.names;
    let deletions = 0;
    world.server.onDelete = (name) => {
      if (name === first && deletions++ === 0) happens(world, name);
    };
    await world.goOnUntil('2026-03-01T10:20:01Z');
    await world.look();
    return world;
  };

  test('stays if it has ended', async () => {
    const world = await meanwhile((each, name) => each.setState(name, 'COMPLETED'));
    expect(timesOf(world.runs)).toEqual(['2026-03-01T10:10:00Z', '2026-03-01T10:20:00Z']);
    expect(world.status.pastSuccessfulRunNames).toEqual([world.names[0]]);
  });

  test('is deleted at once if it is active', async () => {
    const world = await meanwhile((each, name) => each.setState(name, 'RUNNING'));
    expect(timesOf(world.runs)).toEqual(['2026-03-01T10:20:00Z']);
    expect(world.events.filter((event) => event.startsWith('ScheduledRunReplaced'))).toHaveLength(1);
  });
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
