import { Controller, type ControllerOptions, type Outcome, type Reconcile } from '../../src/kube/controller';
import { ApiError, NetworkError } from '../../src/kube/errors';
import { WorkQueue } from '../../src/kube/work-queue';
import { ManualClock, settle } from './helpers/manual-clock';
import { MemoryLogger } from './helpers/memory-logger';

const CALL = { verb: 'get', resource: 'things' };

function newController(reconcile: Reconcile, options: Partial<ControllerOptions> = {}) {
  const clock = new ManualClock();
  const queue = new WorkQueue({ clock, random: () => 0, minBackoff: 100 });
  const logger = new MemoryLogger();
  const outcomes: Outcome[] = [];
  const controller = new Controller({
    name: 'test', queue, reconcile, logger, clock, onReconcile: (outcome) => outcomes.push(outcome), ...options,
  });
  controller.start();
  return { clock, queue, logger, outcomes, controller };
}

/** Returns a promise that the test resolves. */
function newGate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => { open = resolve; });
  return { open, opened };
}

describe('a controller', () => {
  test('reconciles the keys of its queue', async () => {
    const keys: string[] = [];
    const { queue, outcomes, logger } = newController(async (key) => { keys.push(key); });
    queue.add('a');
    queue.add('b');
    await settle();
    expect(keys).toEqual(['a', 'b']);
    expect(outcomes).toEqual(['success', 'success']);
    expect(logger.lines).toEqual([]);
    expect(queue.running).toBe(0);
  });

  test('has at most the given number of workers', async () => {
    const gate = newGate();
    const { queue } = newController(async () => gate.opened, { workers: 3 });
    ['a', 'b', 'c', 'd'].forEach((key) => queue.add(key));
    await settle();
    expect([queue.running, queue.depth]).toEqual([3, 1]);
    gate.open();
    await settle();
    expect([queue.running, queue.depth]).toEqual([0, 0]);
  });

  test('requeues after the time that the reconciliation returns', async () => {
    let count = 0;
    const { queue, clock, outcomes } = newController(async () => { count++; return { requeueAfter: 60_000 }; });
    queue.add('a');
    await clock.advanceAsync(59_999);
    expect(count).toBe(1);
    await clock.advanceAsync(1);
    await settle();
    expect(count).toBe(2);
    expect(outcomes).toEqual(['requeued', 'requeued']);
  });

  test.each<[string, unknown, Outcome, string]>([
    ['a conflict', new ApiError(CALL, 409, { reason: 'Conflict' }), 'conflict', 'debug'],
    ['a server in trouble', new ApiError(CALL, 500), 'transient', 'info'],
    ['a server out of reach', new NetworkError(CALL, 'ECONNREFUSED', 'refused'), 'transient', 'info'],
    ['a refusal', new ApiError(CALL, 403), 'error', 'error'],
    ['a mistake', new TypeError('x is undefined'), 'error', 'error'],
    ['no error at all', 'a string', 'error', 'error'],
  ])('requeues after %s', async (_, thrown, outcome, level) => {
    let count = 0;
    const { queue, clock, logger, outcomes } = newController(async () => {
      if (++count === 1) throw thrown;
    });
    queue.add('a');
    await clock.advanceAsync(100);
    await settle();
    expect(count).toBe(2);
    expect(outcomes).toEqual([outcome, 'success']);
    expect(logger.lines.length).toBe(1);
    expect(logger.lines[0]).toMatch(new RegExp(`^${level} .*trying again$`));
    expect(queue.failures('a')).toBe(0);
  });

  test('catches synchronous exceptions', async () => {
    const { queue, outcomes } = newController(() => { throw new Error('at once'); });
    queue.add('a');
    await settle();
    expect(outcomes).toEqual(['error']);
  });

  test('catches an invalid requeue time, and an observer that throws', async () => {
    const { queue, logger, clock } = newController(async () => ({ requeueAfter: NaN }), { onReconcile: () => { throw new Error('observer'); } });
    queue.add('a');
    await clock.advanceAsync(100);
    expect(logger.lines).toContain('error onReconcile failed');
    expect(queue.failures('a')).toBeGreaterThan(0);
  });

  test('waits longer after each failure, at least for the Retry-After, and finally warns', async () => {
    const times: number[] = [];
    let retryAfter: number | undefined = 7;
    const { queue, clock, logger } = newController(async () => {
      times.push(clock.monotonic());
      throw new ApiError(CALL, 429, {}, retryAfter);
    });
    queue.add('a');
    await settle();
    retryAfter = undefined;
    await clock.advanceAsync(10_000);
    expect(times.slice(0, 5)).toEqual([0, 7_000, 7_200, 7_600, 8_400]);
    expect(logger.lines.slice(3, 5)).toEqual([
      'info the API server cannot answer now; trying again',
      'warn the API server still cannot answer; trying again',
    ]);
  });

  test('warns about conflicts that stay', async () => {
    const { queue, clock, logger } = newController(async () => { throw new ApiError(CALL, 409, { reason: 'Conflict' }); });
    queue.add('a');
    await clock.advanceAsync(10_000);
    const text = 'something else has changed the object; trying again';
    expect(logger.lines.slice(0, 5)).toEqual([...Array.from({ length: 4 }, () => `debug ${text}`), `warn ${text}`]);
  });

  test('warns about a slow reconciliation', async () => {
    const gate = newGate();
    const { queue, clock, logger } = newController(async () => gate.opened, { slowAfter: 5_000 });
    queue.add('a');
    await clock.advanceAsync(5_000);
    expect(logger.lines).toEqual(['warn the reconciliation takes long']);
    gate.open();
    await settle();
    expect(clock.pending).toBe(0);
  });
});

describe('a stopping controller', () => {
  test('finishes running reconciliations and starts none', async () => {
    const gate = newGate();
    const begun: string[] = [];
    const { queue, controller, clock } = newController(async (key) => { begun.push(key); await gate.opened; }, { workers: 1 });
    queue.add('a');
    queue.add('b');
    await settle();
    const stopped = controller.stop();
    gate.open();
    expect(await stopped).toBe(true);
    expect(begun).toEqual(['a']);
    expect(clock.pending).toBe(0);
  });

  test('aborts running reconciliations after the grace period', async () => {
    const { queue, controller, clock, logger, outcomes } = newController((_, { signal }) => new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }));
    queue.add('a');
    await settle();
    const stopped = controller.stop(1_000);
    await clock.advanceAsync(1_000);
    expect(await stopped).toBe(false);
    await settle();
    expect(outcomes).toEqual(['aborted']);
    expect(logger.lines).toEqual(['warn stopped before all work was done', 'debug the reconciliation was aborted']);
  });
});
