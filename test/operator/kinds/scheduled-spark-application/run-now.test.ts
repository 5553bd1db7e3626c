/* The annotation that asks for a run. */
import { ConcurrencyPolicy } from '../../../../src/api/scheduled-spark-application';
import { World } from './world';

describe('a run that is asked for', () => {
  const ask = (world: World, token: string) => world.annotate({ 'sparkoperator.k8s.io/run-now': token });

  test('begins once for each value, whatever becomes of it', async () => {
    const world = new World('2026-03-01T10:00:00Z', { successfulRunHistoryLimit: 0 });
    await world.look();
    ask(world, 'monday');
    await world.look();
    const [name] = world.names;
    expect(name).toMatch(/^nightly-now-[0-9a-f]{10}$/);
    expect(world.runs[0]!.metadata.annotations).toEqual({ 'sparkoperator.k8s.io/run-now': 'monday', 'sparkoperator.k8s.io/trigger': 'run-now' });
    expect(world.status).toMatchObject({ lastRunNow: 'monday', lastRunName: name, nextRun: '2026-03-02T03:00:00Z' });
    world.setState(name!, 'COMPLETED');
    await world.look();
    world.restart();
    await world.look();
    expect(world.names).toEqual([]);
    ask(world, 'tuesday');
    await world.look();
    expect(world.names).toHaveLength(1);
    expect(world.names).not.toContain(name);
    expect(world.counts).toEqual([{ kind: 'started', trigger: 'run-now' }, { kind: 'started', trigger: 'run-now' }]);
  });

  test.each([{ suspend: true }, { timeZone: 'Europe/Belrin' }])('also with %j', async (spec) => {
    const world = new World('2026-03-01T10:00:00Z', spec);
    await world.look();
    ask(world, 'monday');
    await world.look();
    await world.look();
    expect(world.names).toHaveLength(1);
  });

  test('does not begin while another one is active under Forbid, nor later', async () => {
    const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.FORBID });
    await world.goOnUntil('2026-03-01T10:15:00Z');
    ask(world, 'monday');
    await world.look();
    const [first] = world.names;
    expect(world.events).toContain(`ScheduledRunSkipped: Skipped the requested run: ${first} has not ended, and spec.concurrencyPolicy is Forbid`);
    world.setState(first!, 'COMPLETED');
    await world.look();
    expect(world.names).toEqual([first]);
  });

  test('replaces an active run under Replace', async () => {
    const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.REPLACE });
    await world.goOnUntil('2026-03-01T10:15:00Z');
    ask(world, 'monday');
    await world.look();
    await world.look();
    expect(world.names).toEqual([expect.stringMatching(/^nightly-now-/)]);
  });

  test.each([true, false])('not where the API server does not keep what has to be remembered of it (from the start: %p)', async (fromTheStart) => {
    const world = new World('2026-03-01T10:00:00Z');
    world.server.drops = ['observedGeneration', 'conditions', 'scheduleHash', 'lastRunNow'];
    if (fromTheStart) ask(world, 'monday');
    await world.look();
    ask(world, 'monday');
    await world.look();
    expect(world.names).toEqual([]);
    expect(world.events.at(-1)).toContain('the CRD in the cluster drops what the operator has to remember of it');
  });
});

describe('where the API server does not keep what has to be remembered of it', () => {
  test.each<[string, (world: World) => Promise<unknown>]>([
    ['its schedule was suspended', async (world) => {
      world.edit({ suspend: true });
      await world.look();
      world.edit({ suspend: false });
    }],
    ['another operator has taken over', async (world) => world.restart()],
  ])('none begins, also after %s', async (_, happens) => {
    const world = new World('2026-03-01T10:00:30Z', { successfulRunHistoryLimit: 0 });
    world.server.drops = ['scheduleHash', 'lastRunNow'];
    const begun: string[] = [];
    world.server.onCreated = ({ metadata }) => begun.push(metadata.name);
    await world.look();
    world.annotate({ 'sparkoperator.k8s.io/run-now': '1' });
    for (let time = 0; time < 3; time++) {
      await world.look();
      await happens(world);
      await world.look();
      for (const name of world.names) world.setState(name, 'COMPLETED');
      world.clock.advance(3_600_000);
    }
    expect(begun).toEqual([]);
  });

  test.each(['the same operator', 'another operator'])('it begins when the CRD does, for %s', async (operator) => {
    const world = new World('2026-03-01T10:00:30Z', { schedule: '@every 1h' });
    world.server.drops = ['scheduleHash', 'lastRunNow'];
    await world.look();
    world.server.drops = [];
    if (operator === 'another operator') world.restart();
    // With the next write of the status it shows.
    else await world.goOnUntil('2026-03-01T11:01:00Z', 1_000);
    const reported = world.events.length;
    world.annotate({ 'sparkoperator.k8s.io/run-now': '1' });
    await world.look();
    expect(world.names).toContainEqual(expect.stringMatching(/^nightly-now-/));
    expect(world.events.slice(reported).join()).not.toContain('The operator starts no run');
  });
});

test.each([
  [-30_000, 1], [30_000, 1], [30_000, 0],
])('a run whose creation was not answered is reported as begun, also if the clock of the API server is %i ms behind, and with %i runs that are kept', async (behind, successfulRunHistoryLimit) => {
  const world = new World('2026-03-01T10:00:00Z', { successfulRunHistoryLimit });
  world.server.behind = behind;
  await world.look();
  for (const token of ['a', 'b']) {
    world.clock.advance(2_000);
    world.annotate({ 'sparkoperator.k8s.io/run-now': token });
    world.server.lose = (call) => {
      if (token === 'b' && call === 'create sparkapplications') throw world.server.lost();
    };
    await world.look().catch(() => world.look());
    if (token === 'a') world.setState(world.names[0]!, 'COMPLETED');
    await world.look();
  }
  expect(world.names).toHaveLength(1 + successfulRunHistoryLimit);
  expect(world.counts).toHaveLength(2);
  expect(world.status.lastRunName).toBe(world.names.at(-1));
});

describe('a value that asks for a run', () => {
  const TOKEN = 'sparkoperator.k8s.io/run-now';
  const ask = async (world: World, token: string | undefined) => {
    world.clock.advance(2_000);
    world.annotate({ [TOKEN]: token });
    await world.look();
  };

  test('that has had its run is reported, and lastRun stays', async () => {
    const world = new World('2026-03-01T10:00:00Z');
    await world.look();
    for (const token of ['a', 'b']) await ask(world, token);
    const { lastRun, lastRunName } = world.status;
    await ask(world, 'a');
    expect(world.names).toHaveLength(2);
    expect(world.counts).toHaveLength(2);
    expect(world.status).toMatchObject({ lastRun, lastRunName, lastRunNow: 'a' });
    expect(world.events.at(-1)).toMatch(/^ScheduledRunSkipped: .* has already begun for this value; write another value/);
  });

  test('is forgotten when the annotation is removed', async () => {
    const world = new World('2026-03-01T10:00:00Z', { successfulRunHistoryLimit: 0 });
    await world.look();
    await ask(world, 'a');
    world.setState(world.names[0]!, 'COMPLETED');
    await world.look();
    await ask(world, undefined);
    expect(world.status.lastRunNow).toBeUndefined();
    await ask(world, 'a');
    expect(world.names).toHaveLength(1);
  });

  test('asks for nothing if it is there when the schedule is first seen, as after a restore', async () => {
    const world = new World('2026-03-01T10:00:00Z');
    world.annotate({ [TOKEN]: 'old' });
    await world.look();
    expect(world.names).toEqual([]);
    expect(world.status.lastRunNow).toBe('old');
    expect(world.events).toContainEqual(expect.stringMatching(/^ScheduledRunSkipped: .* the schedule had it when the operator first saw it, as after a restore; write another value/));
    await ask(world, 'new');
    expect(world.names).toHaveLength(1);
  });
});
