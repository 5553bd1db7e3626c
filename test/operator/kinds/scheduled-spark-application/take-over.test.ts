/* An operator that takes over while its caches lag behind. */
import { CatchUpPolicy, ConcurrencyPolicy } from '../../../../src/api/scheduled-spark-application';
import { timesOf, World } from './world';

test('does not create again a run that has ended and was cleaned up, whatever the policy', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', successfulRunHistoryLimit: 0 });
  await world.goOnUntil('2026-03-01T10:09:59Z');
  const before = world.snapshot();
  await world.goOnUntil('2026-03-01T10:10:30Z', 5000);
  expect(world.names).toEqual([]);
  world.restart();
  world.seen = before;
  await world.look();
  expect(world.names).toEqual([]);
});

test.each([ConcurrencyPolicy.FORBID, ConcurrencyPolicy.REPLACE])('finds the run of any of the times that were missed, with %s', async (concurrencyPolicy) => {
  const world = new World('2026-03-01T08:30:00Z', { schedule: '0 * * * *', concurrencyPolicy });
  await world.look();
  world.clock.advance(5 * 3_600_000);
  const before = world.snapshot();
  world.restart();
  world.server.refuse = (call) => {
    if (call === 'update scheduledsparkapplications') throw world.server.lost();
  };
  await world.look().catch(() => undefined);
  world.server.refuse = () => undefined;
  expect(timesOf(world.runs)).toEqual(['2026-03-01T13:00:00Z']);
  world.clock.advance(3_600_000);
  world.restart();
  world.seen = before;
  const created: string[] = [];
  world.server.onCreated = (run) => created.push(...timesOf([run]), ...world.names.filter((name) => name !== run.metadata.name));
  await world.look();
  expect(created).toEqual([]);
  world.seen = undefined;
  await world.look();
  expect(created).toEqual(concurrencyPolicy === ConcurrencyPolicy.FORBID ? [] : ['2026-03-01T14:00:00Z']);
});

test('does not begin the next of the caught-up runs beside an active one', async () => {
  const world = new World('2026-03-01T08:30:00Z', { schedule: '0 * * * *', catchUpPolicy: CatchUpPolicy.ALL });
  await world.look();
  world.clock.advance(3 * 3_600_000);
  const before = world.snapshot();
  world.restart();
  await world.look();
  world.restart();
  world.seen = before;
  await world.look();
  expect(timesOf(world.runs)).toEqual(['2026-03-01T09:00:00Z']);
});

test('reads a schedule when it is first seen, not when it is due', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  await world.look();
  world.restart();
  await world.look();
  const calls = world.server.made.length;
  await world.goOnUntil('2026-03-02T03:00:05Z');
  expect(world.server.made.slice(calls)).toEqual(['create sparkapplications', 'update scheduledsparkapplications']);
});

test.each([{ suspend: true }, { schedule: '0 4 * * *' }, { schedule: 'nonsense' }])('reports a run that has begun and was not written into the status before %j', async (edit) => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m' });
  await world.goOnUntil('2026-03-01T10:09:59Z');
  world.server.refuse = (call) => {
    if (call === 'update scheduledsparkapplications') throw world.server.lost();
  };
  world.clock.advance(1000);
  await world.look().catch(() => undefined);
  world.server.refuse = () => undefined;
  world.edit(edit);
  world.restart();
  await world.look();
  await world.look();
  const [name] = world.names;
  expect(world.status).toMatchObject({ lastRunName: name, lastRun: '2026-03-01T10:10:00Z' });
  expect(world.events.filter((event) => event.startsWith('ScheduledRunStarted'))).toEqual([`ScheduledRunStarted: Started ${name}, the run of 2026-03-01T10:10:00Z`]);
  expect(world.counts).toEqual([{ kind: 'started', trigger: 'schedule', lateness: 0 }]);
});

describe.each([ConcurrencyPolicy.FORBID, ConcurrencyPolicy.REPLACE])('before its caches have the last run, with %s', (concurrencyPolicy) => {
  const PAST = '2026-03-01T10:10:00Z';

  test.each([
    ['is written down', () => undefined],
    ['could not be written down', (world: World) => (call: string) => {
      if (call === 'update scheduledsparkapplications') throw world.server.lost();
    }],
  ])('begins none beside it, if it %s', async (_, refusal) => {
    const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy });
    await world.goOnUntil('2026-03-01T10:09:59Z');
    const before = world.snapshot();
    world.server.refuse = refusal(world) ?? (() => undefined);
    await world.goOnUntil('2026-03-01T10:10:05Z').catch(() => undefined);
    world.server.refuse = () => undefined;
    expect(timesOf(world.runs)).toEqual([PAST]);
    world.setDriver(world.names[0]!, 'Running');

    world.clock.advance(Date.parse('2026-03-01T10:20:00Z') - world.clock.now());
    world.restart();
    world.seen = before;
    await world.look();
    expect(timesOf(world.runs)).toEqual(concurrencyPolicy === ConcurrencyPolicy.FORBID ? [PAST] : []);
    expect(world.server.made.filter((call) => call === 'create sparkapplications')).toHaveLength(1);
  });
});
