/*
 * Runs that the API server does not create: the operator reports them, retries with a growing
 * pause, and delays nothing else.
 */
import { CatchUpPolicy } from '../../../../src/api/scheduled-spark-application';
import { timesOf, World } from './world';

const unix = (text: string) => Date.parse(text) / 1000;

/** From now on no run is created. @returns the times of the tries, in seconds from now on */
function refuse(world: World): number[] {
  const tries: number[] = [];
  const begin = world.clock.now();
  world.server.refuse = (call) => {
    if (call !== 'create sparkapplications') return;
    tries.push((world.clock.now() - begin) / 1000);
    throw world.server.error('create', { plural: 'sparkapplications' } as never, { name: 'x' }, 403, 'Forbidden', `exceeded quota: objects (request ${tries.length})`);
  };
  return tries;
}

test('the pause grows up to five minutes, and an edit of the specification ends it', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  await world.goOnUntil('2026-03-02T02:59:59Z');
  world.clock.advance(1000);
  const tries = refuse(world);
  await world.goOnUntil('2026-03-02T03:20:00Z');
  expect(tries).toEqual([0, 15, 45, 105, 225, 465, 765, 1065]);
  expect(world.counts.filter(({ kind }) => kind === 'not-started')).toHaveLength(8);
  expect(world.events.filter((event) => event.startsWith('ScheduledRunNotStarted'))).toHaveLength(8);
  world.edit({ successfulRunHistoryLimit: 2 });
  await world.look();
  expect(tries).toHaveLength(9);
  world.server.refuse = () => undefined;
  await world.goOnUntil('2026-03-02T03:20:20Z');
  expect(timesOf(world.runs)).toEqual(['2026-03-02T03:00:00Z']);
});

test('a reconcile within the pause tries, writes and reports nothing', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  await world.goOnUntil('2026-03-02T02:59:59Z');
  world.clock.advance(1000);
  const tries = refuse(world);
  await world.look();
  const [calls, events] = [world.server.made.length, world.events.length];
  for (let time = 0; time < 14; time++) {
    world.clock.advance(1000);
    world.annotate({ other: String(time) });
    await world.look();
  }
  expect(tries).toEqual([0]);
  expect(world.server.made).toHaveLength(calls);
  expect(world.events).toHaveLength(events);
});

test('a run of a later time is tried when it is due, but not each second', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 1s' });
  await world.look();
  const tries = refuse(world);
  await world.goOnUntil('2026-03-01T10:02:00Z');
  expect(tries).toEqual([1, 16, 31, 46, 61, 76, 91, 106]);
});

test('a clock that was set back does not lengthen the pause', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m' });
  await world.goOnUntil('2026-03-01T10:09:59Z');
  world.annotate({ 'sparkoperator.k8s.io/run-now': 'a' });
  const tries = refuse(world);
  await world.look();
  world.clock.advance(-3_600_000);
  await world.look();
  expect(tries).toHaveLength(2);
});

test('catching up skips a run whose name another owner has, after some tries', async () => {
  const world = new World('2026-03-01T08:30:00Z', { schedule: '0 * * * *', catchUpPolicy: CatchUpPolicy.ALL, successfulRunHistoryLimit: 10 });
  await world.look();
  const name = `nightly-${unix('2026-03-01T09:00:00Z')}`;
  world.server.put(`sparkapplications jobs/${name}`, { metadata: { name, namespace: 'jobs', uid: 'foreign', creationTimestamp: '2026-03-01T08:00:00Z' }, spec: {} });
  await world.goOnUntil('2026-03-01T11:30:00Z', 60_000);
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z']);
  expect(world.counts).toContainEqual({ kind: 'skipped', reason: 'name-taken', runs: 1 });
  expect(world.events).toContainEqual(expect.stringMatching(/^ScheduledRunSkipped: Skipped the run of 2026-03-01T09:00:00Z.*so that those after it can begin: a SparkApplication .* does not belong to this schedule/));
});
