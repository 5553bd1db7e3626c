import type { Clock, Timer } from '../../../src/kube/clock';

interface ManualTimer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until it is told to go on.
 */
export class ManualClock implements Clock {
  private time: number;
  private readonly start: number;
  /** By how much the two clocks of a machine have come apart. */
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

  /** How many timers are pending. */
  get pending(): number {
    return this.timers.size;
  }

  /** Milliseconds until the next timer; `undefined` if there is none. */
  get untilNext(): number | undefined {
    return this.timers.size === 0 ? undefined : Math.min(...[...this.timers].map(({ due }) => due)) - this.time;
  }

  /** Sets the time of day forward by so many milliseconds, or back if they are negative, as where somebody does, or where a suspended virtual machine goes on: durations and timers see nothing of it. */
  jump(ms: number): void {
    this.jumped += ms;
  }

  /** Goes on by so many milliseconds and fires what is due, each at its time. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.timers.delete(timer);
      this.time = Math.max(this.time, timer.due);
      timer.callback();
    }
    this.time = end;
  }

  /** Like `advance`, and lets promises go on before each timer. */
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

  /** Resolves when a timer is set, or is pending, that still has as many milliseconds to go as expected. */
  timer(isExpected: (ms: number) => boolean): Promise<void> {
    if ([...this.timers].some(({ due }) => isExpected(due - this.time))) return Promise.resolve();
    return new Promise((resolve) => this.waiting.add({ isExpected, resolve }));
  }

  private next(end: number): ManualTimer | undefined {
    const due = [...this.timers].filter((timer) => timer.due <= end);
    return due.sort((a, b) => a.due - b.due || a.order - b.order)[0];
  }
}

/** Lets all promises go on that can. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
