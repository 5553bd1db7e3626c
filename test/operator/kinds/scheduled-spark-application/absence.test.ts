/*
 * Behavior of a schedule for times at which no operator was there, or another one was, or the clock
 * was wrong.
 */
import { CatchUpPolicy } from '../../../../src/api/scheduled-spark-application';
import { timesOf, World } from './world';

/** An operator that was away from 10:25 to 13:45, with a run each hour. */
async function absence(spec: object): Promise<World> {
  const world = new World('2026-03-01T08:30:00Z', { schedule: '0 * * * *', ...spec });
  await world.goOnUntil('2026-03-01T10:25:00Z', 60_000);
  world.clock.advance(200 * 60_000);
  world.restart();
  await world.look();
  return world;
}

test.each<[spec: object, caughtUp: string[], skipped: RegExp | undefined]>([
  [{}, ['13:00'], /Skipped 2 runs from 2026-03-01T11:00:00Z on: missed, and not caught up by spec.catchUpPolicy \(Latest\)/],
  [{ catchUpPolicy: CatchUpPolicy.LATEST, startingDeadlineSeconds: 3600 }, ['13:00'], /Skipped 2 runs/],
  [{ startingDeadlineSeconds: 600 }, [], /Skipped 3 runs from 2026-03-01T11:00:00Z on: later than spec.startingDeadlineSeconds = 600 allows/],
  [{ catchUpPolicy: CatchUpPolicy.NONE }, [], /Skipped 3 runs .* missed, and not caught up by spec.catchUpPolicy \(None\)/],
  [{ catchUpPolicy: CatchUpPolicy.ALL }, ['11:00', '12:00', '13:00'], undefined],
  [{ catchUpPolicy: CatchUpPolicy.ALL, startingDeadlineSeconds: 7200 }, ['12:00', '13:00'], /Skipped the run of 2026-03-01T11:00:00Z: later than/],
])('after an absence %j brings %j', async (spec, caughtUp, skipped) => {
  const world = await absence({ ...spec, successfulRunHistoryLimit: 100 });
  await world.goOnUntil('2026-03-01T14:30:00Z', 60_000);
  expect(timesOf(world.runs)).toEqual(['09:00', '10:00', ...caughtUp, '14:00'].map((time) => `2026-03-01T${time}:00Z`));
  expect(world.events.filter((event) => /Skipped/.test(event))).toEqual(skipped ? [expect.stringMatching(skipped)] : []);
  expect(world.runs.filter(({ metadata }) => metadata.annotations!['sparkoperator.k8s.io/trigger'] === 'catch-up')).toHaveLength(caughtUp.length);
});

test('of runs that are caught up one begins after the other has ended', async () => {
  const world = await absence({ catchUpPolicy: CatchUpPolicy.ALL });
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z']);
  expect(world.status).toMatchObject({ nextRun: '2026-03-01T12:00:00Z', conditions: [{ type: 'Waiting', status: 'True', reason: 'CatchingUp' }] });
  await world.goOnUntil('2026-03-01T13:46:30Z', 60_000);
  expect(world.status.nextRun).toBe('2026-03-01T13:00:00Z');
  await world.goOnUntil('2026-03-01T13:50:00Z', 60_000);
  expect(world.status).toMatchObject({ nextRun: '2026-03-01T14:00:00Z', conditions: [{ type: 'Waiting', status: 'False' }] });
});

test('an operator that comes a little late is not late', async () => {
  const world = new World('2026-03-01T10:00:00Z', { catchUpPolicy: CatchUpPolicy.NONE });
  await world.look();
  world.clock.advance(17 * 3_600_000 + 45_000);
  world.restart();
  await world.look();
  expect(timesOf(world.runs)).toEqual(['2026-03-02T03:00:00Z']);
  expect(world.counts).toContainEqual({ kind: 'started', trigger: 'schedule', lateness: 45 });
});

describe('what another operator has written', () => {
  // As kubeflow's operator does.
  const theirs = { scheduleState: 'Scheduled', lastRun: '2026-03-01T03:00:00Z', lastRunName: 'nightly-1772334000000000000', nextRun: '2026-03-02T03:00:00Z' };

  test('is carried on, with the run that was missed in between', async () => {
    const world = new World('2026-03-02T03:20:00Z');
    world.setStatus(theirs);
    await world.look();
    expect(timesOf(world.runs)).toEqual(['2026-03-02T03:00:00Z']);
    expect(world.status.nextRun).toBe('2026-03-03T03:00:00Z');
  });

  test('is not run twice if it has begun a run and not written that down', async () => {
    const world = new World('2026-03-02T03:20:00Z');
    world.setStatus(theirs);
    world.server.put('sparkapplications jobs/nightly-1772420401000000000', {
      metadata: {
        name: 'nightly-1772420401000000000', namespace: 'jobs', uid: 'theirs', creationTimestamp: '2026-03-02T03:00:01Z', labels: { 'sparkoperator.k8s.io/scheduled-app-name': 'nightly' },
        ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', name: 'nightly', uid: 'schedule', blockOwnerDeletion: true }],
      },
      spec: {},
    });
    await world.look();
    expect(world.names).toEqual(['nightly-1772420401000000000']);
    expect(world.status).toMatchObject({ lastRunName: 'nightly-1772420401000000000', nextRun: '2026-03-03T03:00:00Z' });
  });

  test('known failure 14: it counts no more if the schedule was edited since', async () => {
    const world = new World('2026-03-01T12:30:00Z', { schedule: '0 * * * *' });
    world.setStatus(theirs);
    await world.look();
    expect(world.status.nextRun).toBe('2026-03-01T13:00:00Z');
  });

  test('works without a hash if the API server drops it, with one more write that shows that again', async () => {
    const world = new World('2026-03-01T10:00:00Z', { schedule: '0 * * * *' });
    world.server.drops = ['observedGeneration', 'conditions', 'scheduleHash', 'lastRunNow'];
    await world.goOnUntil('2026-03-01T12:30:00Z');
    expect(timesOf(world.runs)).toEqual(['2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z']);
    await world.look();
    expect(world.server.made.filter((call) => call.startsWith('update'))).toHaveLength(4);
    world.edit({ schedule: '45 * * * *' });
    await world.look();
    expect(world.status.nextRun).toBe('2026-03-01T12:45:00Z');
  });
});

test('a clock that is set back does not run anything twice', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', successfulRunHistoryLimit: 0 });
  await world.goOnUntil('2026-03-01T10:35:00Z', 60_000);
  const begun = world.counts.length;
  world.clock.advance(-1_800_000);
  await world.goOnUntil('2026-03-01T10:39:59Z', 60_000);
  expect(world.counts).toHaveLength(begun);
  await world.goOnUntil('2026-03-01T10:40:30Z', 1_000_000);
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:40:00Z']);
});

test('a clock that was hours ahead, and is right now, leaves out nothing that has not begun', async () => {
  const world = new World('2026-03-01T22:00:00Z', { schedule: '@every 10m' });
  await world.look();
  world.clock.advance(-12 * 3_600_000);
  await world.look();
  expect(world.status.nextRun).toBe('2026-03-01T10:10:00Z');
  expect(world.events).toContain('ScheduledSparkApplicationScheduled: The next run is at 2026-03-01T10:10:00Z');
});

test('a clock that was years ahead does not stop a schedule for years', async () => {
  const world = new World('2038-01-01T00:00:00Z');
  await world.look();
  world.clock.advance(Date.parse('2026-03-01T10:00:00Z') - world.clock.now());
  await world.look();
  expect(world.status.nextRun).toBe('2026-03-02T03:00:00Z');
});
