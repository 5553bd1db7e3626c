import type { Clock, Timer } from '../../../src/kube/clock';

interface ManualTimer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that advances only on demand. */
export class ManualClock implements Clock {
  private time: number;
  private readonly start: number;
  /** Difference between the two clocks of a machine. */
  private jumped = 0;
  private readonly timers = new Set<ManualTimer>();
  private readonly waiting = new Set<{ isExpected: (ms: number) => boolean; resolve: () => void }>();
  private set = 0;

  constructor(start: Date | number = Date.UTC(2026, 0, 1)) {
    this.start = this.time = Number(start);
  }

  now(): number {
    return this.time + this.jumped;
  }

  monotonic(): number {
    return this.time - this.start;
  }

  setTimeout(callback: () => void, ms: number): Timer {
    const timer = { due: this.time + Math.max(0, ms), order: this.set++, callback };
    this.timers.add(timer);
    for (const waiter of this.waiting) {
      if (waiter.isExpected(ms)) {
        this.waiting.delete(waiter);
        waiter.resolve();
      }
    }
    return timer;
  }

  clearTimeout(timer: Timer): void {
    this.timers.delete(timer as ManualTimer);
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.timers.size;
  }

  /** Milliseconds until the next timer; `undefined` without one. */
  get untilNext(): number | undefined {
    return this.timers.size === 0 ? undefined : Math.min(...[...this.timers].map(({ due }) => due)) - this.time;
  }

  /**
   * Sets the wall clock forward, or back by negative milliseconds, as a user or a resumed virtual
   * machine does. Durations and timers are not affected.
   */
  jump(ms: number): void {
    this.jumped += ms;
  }

  /** Advances time and fires due timers, each at its time. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.timers.delete(timer);
      this.time = Math.max(this.time, timer.due);
      timer.callback();
    }
    this.time = end;
  }

  /** Like `advance`, but settles promises before each timer. */
  async advanceAsync(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.timers.delete(timer);
      this.time = Math.max(this.time, timer.due);
      timer.callback();
      await settle();
    }
    this.time = end;
  }

  /** Resolves when there is a timer whose remaining milliseconds match. */
  timer(isExpected: (ms: number) => boolean): Promise<void> {
    if ([...this.timers].some(({ due }) => isExpected(due - this.time))) return Promise.resolve();
    return new Promise((resolve) => this.waiting.add({ isExpected, resolve }));
  }

  private next(end: number): ManualTimer | undefined {
    let first: ManualTimer | undefined;
    for (const timer of this.timers) {
      if (timer.due <= end && (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order))) first = timer;
    }
    return first;
  }
}

/** Settles all promises that can continue. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
