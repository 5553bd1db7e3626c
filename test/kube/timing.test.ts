import * as fc from 'fast-check';
import { backoff } from '../../src/kube/backoff';
import { sleep, systemClock } from '../../src/kube/clock';
import { withDefaults } from '../../src/kube/defaults';
import { RateLimiter } from '../../src/kube/rate-limiter';
import { ManualClock } from './helpers/manual-clock';

describe('backoff', () => {
  test('is between half and all of an exponential value, up to the limit', () => {
    fc.assert(fc.property(fc.nat(5_000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (failures, random) => {
      const wait = backoff(failures, 5, 60_000, () => random);
      const full = failures > 20 ? 60_000 : Math.min(60_000, 5 * 2 ** failures);
      expect(wait).toBeGreaterThanOrEqual(full / 2);
      expect(wait).toBeLessThanOrEqual(full);
    }));
  });
});

describe('sleep', () => {
  test('ends after the time, or with the signal\'s reason', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const slept = sleep(clock, 10, controller.signal);
    const aborted = sleep(clock, 20, controller.signal);
    clock.advance(10);
    await slept;
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await expect(sleep(clock, 10, controller.signal)).rejects.toThrow('enough');
    expect(clock.pending).toBe(0);
  });
});

describe('the system\'s clock', () => {
  test('measures time', async () => {
    const [now, monotonic] = [systemClock.now(), systemClock.monotonic()];
    systemClock.clearTimeout(systemClock.setTimeout(() => { throw new Error('not cleared'); }, 1));
    await sleep(systemClock, 5);
    expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
    expect(systemClock.monotonic()).toBeGreaterThan(monotonic);
  });
});

describe('a rate limiter', () => {
  test('allows a burst, then the rate per second, in order', async () => {
    const clock = new ManualClock();
    const limiter = new RateLimiter(2, 3, clock);
    const served: string[] = [];
    for (let i = 0; i < 6; i++) void Promise.resolve(limiter.take()).then(() => served.push(`${i}@${clock.monotonic()}`));
    await clock.advanceAsync(10_000);
    expect(served).toEqual(['0@0', '1@0', '2@0', '3@500', '4@1000', '5@1500']);
    // An idle period fills the bucket, but not more.
    for (let i = 6; i < 10; i++) void Promise.resolve(limiter.take()).then(() => served.push(`${i}@${clock.monotonic()}`));
    await clock.advanceAsync(10_000);
    expect(served.slice(6)).toEqual(['6@10000', '7@10000', '8@10000', '9@10500']);
  });

  test('reuses the token of a caller that aborts', async () => {
    const clock = new ManualClock();
    const limiter = new RateLimiter(1, 1, clock);
    await limiter.take();
    const controller = new AbortController();
    const aborted = limiter.take(controller.signal);
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    void limiter.take();
    expect(clock.untilNext).toBe(1_000);
  });

  test('callers behind one that aborts move up', async () => {
    const clock = new ManualClock();
    const limiter = new RateLimiter(1, 1, clock);
    await limiter.take();
    const leaving = Array.from({ length: 100 }, () => new AbortController());
    const left = leaving.map(({ signal }) => limiter.take(signal)!.catch(() => 'left'));
    const served = limiter.take()!.then(() => clock.monotonic());
    expect(limiter.wait).toBe(102_000);
    leaving.forEach((controller) => controller.abort());
    expect(new Set(await Promise.all(left))).toEqual(new Set(['left']));
    expect(limiter.wait).toBe(2_000);
    await clock.advanceAsync(10_000);
    expect(await served).toBe(1_000);
    expect([limiter.wait, clock.pending]).toEqual([0, 0]);
  });

  test('keeps any rate', async () => {
    const clock = new ManualClock();
    const limiter = new RateLimiter(7, 1, clock);
    let served = 0;
    for (let i = 0; i < 100; i++) void Promise.resolve(limiter.take()).then(() => served++);
    // Timers have whole milliseconds.
    await clock.advanceAsync(10_001);
    expect(served).toBe(71);
  });

  test('of 0 is no limit', async () => {
    const clock = new ManualClock();
    const limiter = new RateLimiter(0, 0, clock);
    for (let i = 0; i < 1_000; i++) await limiter.take();
    expect([limiter.wait, clock.pending]).toEqual([0, 0]);
  });
});

describe('defaults', () => {
  test('replace missing and undefined options', () => {
    const options: { a?: number; b?: number; c?: number } = { a: 1, b: undefined };
    expect(withDefaults(options, { a: 2, b: 2, c: 2 })).toEqual({ a: 1, b: 2, c: 2 });
  });
});
