/*
 * Failures at each call, and at any time: whatever happens, no time has two runs, and what
 * the policies promise holds.
 */
import fc from 'fast-check';
import { CatchUpPolicy, ConcurrencyPolicy } from '../../../../src/api/scheduled-spark-application';
import { isConflict } from '../../../../src/kube/errors';
import { dueRuns } from '../../../../src/schedule/due-runs';
import { parseSchedule } from '../../../../src/schedule/expression';
import { rfc, timesOf, World, type Spec } from './world';

/** The process ends in the middle of a call. */
class Crash extends Error {}

interface Story {
  readonly created: readonly string[];
  readonly calls: number;
  /** Runs that began while another one was active. */
  readonly beside: readonly string[];
  readonly end: unknown;
  /** Events and metrics that the operator recorded. */
  readonly reported: readonly unknown[];
}

/** An hour with all sorts of things; at the n-th call the operator crashes, or the call fails. */
async function story(spec: Spec, fault?: { readonly call: number; readonly kind: 'crash before' | 'crash after' | 'lost' | 'busy'; readonly isLate?: boolean }): Promise<Story> {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', ...spec });
  const created: string[] = [];
  const beside: string[] = [];
  world.server.onCreated = ({ metadata }) => {
    created.push(metadata.annotations!['sparkoperator.k8s.io/scheduled-at'] ?? 'now');
    if (world.runs.some((run) => run.metadata.name !== metadata.name && run.status?.applicationState?.state !== 'COMPLETED')) beside.push(metadata.name);
  };
  const fail = (kinds: readonly string[]) => (_: string, number: number) => {
    if (!fault || fault.call !== number || !kinds.includes(fault.kind)) return;
    if (fault.kind.startsWith('crash')) throw new Crash();
    throw fault.kind === 'lost' ? world.server.lost() : world.server.error('x', { plural: 'x' } as never, { name: 'x' }, 429, 'TooManyRequests');
  };
  world.server.refuse = fail(['crash before', 'busy']);
  world.server.lose = fail(['crash after', 'lost']);
  // The caches of the next leader have an earlier state.
  let earlier = world.snapshot();
  const takeOverLate = async () => {
    world.seen = earlier;
    await world.look().catch((error: unknown) => {
      if (!isConflict(error)) throw error;
    });
    world.seen = undefined;
  };
  const until = async (time: string) => {
    earlier = world.snapshot();
    for (;;) {
      try {
        return await world.goOnUntil(`2026-03-01T${time}Z`, 450_000);
      } catch (error) {
        if (error instanceof Crash) {
          world.restart();
          if (fault!.isLate) await takeOverLate();
        }
        // As the work queue does.
        world.clock.advance(5);
      }
    }
  };
  await until('10:15:00');
  world.annotate({ 'sparkoperator.k8s.io/run-now': 'please' });
  await until('10:35:00');
  world.clock.advance(25 * 60_000);
  await until('11:15:00');
  // A fault can delay the creation of a run.
  const runHistory = world.status.runHistory?.map((run) => ({ ...run, startTime: undefined }));
  const end = { runs: world.names, status: { ...world.status, conditions: undefined, lastRun: undefined, runHistory } };
  return { created, calls: world.server.made.length, beside, end, reported: [...world.events, ...world.counts.map((count) => ({ ...count, lateness: undefined }))] };
}

describe.each<Spec>([
  {},
  { concurrencyPolicy: ConcurrencyPolicy.FORBID },
  { concurrencyPolicy: ConcurrencyPolicy.REPLACE },
  { catchUpPolicy: CatchUpPolicy.ALL, successfulRunHistoryLimit: 3 },
])('with %j', (spec) => {
  test('a fault at any call changes nothing about what comes of it', async () => {
    const undisturbed = await story(spec);
    expect(new Set(undisturbed.created).size).toBe(undisturbed.created.length);
    expect(undisturbed.created.length).toBeGreaterThan(3);
    const otherwise: Record<string, unknown> = {};
    const whatComesOf = ({ created, end, reported }: Story, isTold: boolean) => JSON.stringify([created, end, ...isTold ? reported : []]);
    for (let call = 1; call <= undisturbed.calls; call++) {
      for (const kind of ['crash before', 'crash after', 'lost', 'busy'] as const) {
        const disturbed = await story(spec, { call, kind });
        // A process that ends might not have recorded its events. A failed action is recorded again
        // when it succeeds.
        const isTold = kind === 'lost';
        if (whatComesOf(disturbed, isTold) !== whatComesOf(undisturbed, isTold)) otherwise[`${kind} ${call}`] = disturbed;
      }
    }
    expect(otherwise).toEqual({});
  }, 240_000);

  // A finished run can still be active for them, so that Forbid skips another one.
  test('after a crash at any call, and with stale caches, no time has two runs, and none begins beside another', async () => {
    const { calls } = await story(spec);
    const wrong: Record<string, unknown> = {};
    for (let call = 1; call <= calls; call++) {
      for (const kind of ['crash before', 'crash after'] as const) {
        const { created, beside } = await story(spec, { call, kind, isLate: true });
        const isBeside = spec.concurrencyPolicy !== undefined && beside.length > 0;
        if (new Set(created).size < created.length || isBeside) wrong[`${kind} ${call}`] = { created, beside };
      }
    }
    expect(wrong).toEqual({});
  }, 240_000);
});

const MINUTE = 60_000;
const ALL_POLICIES = { concurrency: Object.values(ConcurrencyPolicy), catchUp: Object.values(CatchUpPolicy) };

test('whatever happens, each time has one run at most, in order, and policies and limits hold', async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('go on' as const), minutes: fc.integer({ min: 1, max: 90 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('away' as const), minutes: fc.integer({ min: 1, max: 600 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), minutes: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('run now' as const), minutes: fc.constant(0) }) },
    // A user deletes the last run, whose driver takes its time.
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'drivers end' as const), minutes: fc.constant(0) }) },
  );
  const spec = fc.record({
    schedule: fc.constantFrom('@every 7m', '*/10 * * * *', '0 * * * *', '@every 45s'),
    concurrencyPolicy: fc.constantFrom(...ALL_POLICIES.concurrency),
    catchUpPolicy: fc.constantFrom(...ALL_POLICIES.catchUp),
    startingDeadlineSeconds: fc.option(fc.integer({ min: 1, max: 7200 }), { nil: undefined }), successfulRunHistoryLimit: fc.integer({ min: 0, max: 3 }),
  });
  const ONCE_MORE_THAN_COUNTED = {
    schedule: '*/10 * * * *' as const, concurrencyPolicy: ConcurrencyPolicy.ALLOW, catchUpPolicy: CatchUpPolicy.ALL, startingDeadlineSeconds: undefined, successfulRunHistoryLimit: 0,
  };
  const storySteps = fc.array(step, { minLength: 1, maxLength: 10 });
  // More faults would let nothing come to an end.
  const faults = fc.constantFrom(0, 7, 10, 11, 16, 23);
  await fc.assert(fc.asyncProperty(spec, storySteps, fc.integer({ min: 1, max: 40 }), faults, async (given, steps, duration, faultEvery) => {
    const begin = '2026-03-27T22:10:30Z';
    const world = new World(begin, { ...given, timeZone: 'Europe/Berlin' });
    world.othersWait = duration % 2 === 0;
    const created: string[] = [];
    const problems: string[] = [];
    world.server.onCreated = (run) => {
      created.push(...timesOf([run]));
      const others = world.runs.filter(({ metadata, status }) => metadata.name !== run.metadata.name && status?.applicationState?.state !== 'COMPLETED');
      if (given.concurrencyPolicy === 'Replace' && world.driversLeft.length > 0) problems.push(`${run.metadata.name} beside ${world.driversLeft.join(', ')}`);
      if (given.concurrencyPolicy !== 'Allow' && others.length > 0) problems.push(`${run.metadata.name} beside ${others.map(({ metadata }) => metadata.name).join(', ')}`);
    };
    let isUntold = false;
    const fail = (isBefore: boolean) => (call: string, number: number) => {
      if (faultEvery === 0 || number % (faultEvery + 1) !== 0 || (number % 2 === 0) !== isBefore) return;
      const isCrash = number % 3 === 0;
      // No process records the events that it was about to record.
      if (isCrash && !isBefore && call === 'update scheduledsparkapplications') isUntold = true;
      throw isCrash ? new Crash() : world.server.lost();
    };
    world.server.refuse = fail(true);
    world.server.lose = fail(false);
    const until = async (end: number) => {
      for (;;) {
        try {
          return await world.goOnUntil(end, duration * MINUTE);
        } catch (error) {
          if (!(error instanceof Crash) && !/no answer/.test((error as Error).message)) throw error;
          if (error instanceof Crash) world.restart();
          world.clock.advance(5);
        }
      }
    };
    await until(world.clock.now());
    const first = Date.parse(world.status.nextRun!);
    for (const [index, { kind, minutes }] of steps.entries()) {
      if (kind === 'go on') await until(world.clock.now() + minutes * MINUTE);
      if (kind === 'away') world.clock.advance(minutes * MINUTE);
      if (kind === 'restart' || kind === 'away') world.restart();
      if (kind === 'delete') world.deleteLast();
      if (kind === 'drivers end') world.driversLeft.forEach((name) => world.setDriver(name.replace(/-driver$/, '')));
      if (kind === 'run now') world.annotate({ 'sparkoperator.k8s.io/run-now': `wish ${index}` });
    }
    await until(world.clock.now() + 1000);

    expect(problems).toEqual([]);
    expect(created).toEqual([...new Set(created)].sort());
    const { latest: times } = dueRuns(parseSchedule(given.schedule, 'Europe/Berlin'), first, world.clock.now(), 10_000);
    // Not arrayContaining, which compares each with each.
    const due = new Set(times.map(rfc));
    expect(created.filter((time) => !due.has(time))).toEqual([]);
    // Nothing is skipped without a word, or left out.
    const skipped = world.counts.flatMap((count) => (count.kind === 'skipped' ? [count.runs] : [])).reduce((a, b) => a + b, 0);
    const isWaiting = world.status.conditions?.some(({ type, status }) => type === 'Waiting' && status === 'True');
    if (!isWaiting && given.catchUpPolicy !== 'All') expect(Date.parse(world.status.nextRun!)).toBeGreaterThan(world.clock.now());
    if (given.catchUpPolicy === 'All' && given.startingDeadlineSeconds === undefined && given.concurrencyPolicy === 'Allow') {
      const behind = times.filter((time) => time >= Date.parse(world.status.nextRun!)).length;
      // Of many it is only said that there are more.
      const isCounted = !world.events.some((event) => event.startsWith('ScheduledRunSkipped: Skipped more than '));
      if (!isCounted) expect(skipped).toBeGreaterThanOrEqual(20);
      else if (!isUntold) expect(created.length + behind + skipped).toBeGreaterThanOrEqual(times.length);
      // While one is active, the operator does not search for surplus runs.
      if (!isWaiting) expect(behind).toBeLessThanOrEqual(102);
    }
    expect(world.runs.filter(({ status }) => status?.applicationState?.state === 'COMPLETED').length).toBeLessThanOrEqual(given.successfulRunHistoryLimit);
  }), { numRuns: 80, examples: [[ONCE_MORE_THAN_COUNTED, [{ kind: 'away', minutes: 1210 }], 1, 0]] });
}, 240_000);
