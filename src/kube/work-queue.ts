import { backoff } from './backoff';
import { type Clock, MAX_TIMEOUT, type Random, systemClock, type Timer } from './clock';
import { withDefaults } from './defaults';
import { FairQueue } from './fair-queue';
import { Fifo } from './fifo';
import { parseKey } from './objects';

/** Urgent keys that are handed out for one of the others. */
const URGENT_TURNS = 3;

/** Share of the workers that keys without urgency can hold while urgent ones wait. */
const OTHERS_SHARE = 1 / 5;

/** Told what happens in a queue, for metrics. The functions must not throw. */
export interface WorkQueueHooks {
  /** A key has been added that was not waiting already. */
  onAdd?(): void;
  /** A worker has taken a key that was ready for so long. */
  onStart?(waitSeconds: number): void;
  /** A worker is done with a key after so long. */
  onDone?(workSeconds: number): void;
  /** A key will come back because of a failure. */
  onRetry?(): void;
}

/** Settings of a work queue. */
export interface WorkQueueOptions {
  /** Milliseconds before a key comes back after its first failure; doubled for each further one. @default 5 */
  readonly minBackoff?: number;
  /** Milliseconds before a key comes back after many failures. @default 60000 */
  readonly maxBackoff?: number;
  /**
   * Whether a key precedes others that wait. Called once, when the key becomes ready; must be quick,
   * and must not throw. Work on the others can take much longer.
   * @default - no key is urgent
   */
  readonly isUrgent?: (key: string) => boolean;
  /** @default - nobody is told */
  readonly hooks?: WorkQueueHooks;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/**
 * Keys to work on. Namespaces take turns, among urgent keys and among the others; within a
 * namespace keys keep the order in which they became ready. So a namespace with thousands of keys
 * delays another one by a single key at a time.
 *
 * Urgent keys precede the others, which get every fourth turn. While urgent keys wait, the others hold
 * at most a fifth of the workers, but at least one.
 *
 * A key waits at most once however often it is added, and never is with two workers at once: if it is added while
 * a worker has it, it comes again after that worker is done. So a key always is worked on after its last `add`, and workers need no locks.
 */
export class WorkQueue {
  private readonly options;
  private readonly clock: Clock;
  private readonly hooks: WorkQueueHooks;
  /** By namespace. */
  private readonly urgent = new FairQueue<string>();
  /** By namespace; those that are not urgent. */
  private readonly ready = new FairQueue<string>();
  /** To be worked on: all that is ready, and what was added while a worker had it. With the time of the addition. */
  private readonly dirty = new Map<string, number>();
  /** With workers, since when. */
  private readonly processing = new Map<string, { readonly since: number; readonly isUrgent: boolean }>();
  /** To be added later. */
  private readonly later = new Map<string, { readonly due: number; readonly timer: Timer }>();
  private readonly failed = new Map<string, number>();
  /** Workers that wait for a key. */
  private readonly idle = new Fifo<(key: string | undefined) => void>();
  /** Keys with workers that are not urgent. */
  private othersRunning = 0;
  /** Urgent keys that were handed out in a row while others waited. */
  private urgentTurns = 0;
  private readonly whenDrained: (() => void)[] = [];
  private stopped = false;

  constructor(options: WorkQueueOptions = {}) {
    this.options = withDefaults(options, { minBackoff: 5, maxBackoff: 60_000, isUrgent: () => false, hooks: {}, clock: systemClock, random: Math.random });
    this.clock = this.options.clock;
    this.hooks = this.options.hooks;
  }

  /** How many keys are ready and wait for a worker. */
  get depth(): number {
    return this.urgent.size + this.ready.size;
  }

  /** How many keys are with workers. */
  get running(): number {
    return this.processing.size;
  }

  /** How many keys will be added later. */
  get delayed(): number {
    return this.later.size;
  }

  /** For how many milliseconds the slowest worker has had its key; 0 if none has one. */
  get longestRunning(): number {
    const [oldest] = this.processing.values();
    return oldest === undefined ? 0 : this.clock.monotonic() - oldest.since;
  }

  /** Adds a key, to be worked on as soon as possible. After `shutdown` it is ignored. */
  add(key: string): void {
    if (this.stopped || this.dirty.has(key)) return;
    this.dirty.set(key, this.clock.monotonic());
    this.hooks.onAdd?.();
    if (this.processing.has(key)) return;
    this.enqueue(key);
    this.handOut();
  }

  /**
   * Adds a key later. If it is to be added later already, the earlier time holds.
   *
   * @param ms milliseconds; what is not positive is now, and after 24.8 days the key comes in any case
   * @throws {RangeError} if `ms` is not a number
   */
  addAfter(key: string, ms: number): void {
    if (Number.isNaN(ms)) throw new RangeError(`the delay of ${key} is not a number`);
    if (ms <= 0) {
      this.add(key);
      return;
    }
    const delay = Math.min(ms, MAX_TIMEOUT);
    const due = this.clock.monotonic() + delay;
    const waiting = this.later.get(key);
    if (this.stopped || (waiting && waiting.due <= due)) return;
    this.clock.clearTimeout(waiting?.timer);
    const timer = this.clock.setTimeout(() => {
      this.later.delete(key);
      this.add(key);
    }, delay);
    this.later.set(key, { due, timer });
  }

  /**
   * Adds a key later because of a failure: the more failures since the last `forget`, the later.
   *
   * @param atLeast milliseconds that must pass in any case; up to half as much again does, as others were told the same
   */
  addRateLimited(key: string, atLeast = 0): void {
    const failures = this.failures(key);
    const { minBackoff, maxBackoff, random } = this.options;
    if (this.stopped) return;
    this.failed.set(key, failures + 1);
    this.hooks.onRetry?.();
    this.addAfter(key, Math.max(atLeast * (1 + random() / 2), backoff(failures, minBackoff, maxBackoff, random)));
  }

  /** Forgets the failures of a key. Must be called when it is worked on with success. */
  forget(key: string): void {
    this.failed.delete(key);
  }

  /** How often the key has failed since it was last forgotten. */
  failures(key: string): number {
    return this.failed.get(key) ?? 0;
  }

  /**
   * Takes the next key, when there is one. The worker must say `done`, whatever happens.
   *
   * @returns `undefined` after `shutdown`
   */
  get(): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.stopped) {
        resolve(undefined);
      } else {
        this.idle.push(resolve);
        this.handOut();
      }
    });
  }

  /** Ends the work on a key. */
  done(key: string): void {
    const work = this.processing.get(key);
    if (!work) return;
    this.processing.delete(key);
    if (!work.isUrgent) this.othersRunning--;
    this.hooks.onDone?.((this.clock.monotonic() - work.since) / 1_000);
    if (this.dirty.has(key)) this.enqueue(key);
    this.handOut();
    if (this.stopped && this.processing.size === 0) this.whenDrained.forEach((resolve) => resolve());
  }

  /** Takes and hands out no more keys; those that wait are dropped, as the next process finds them from the state of the world. */
  shutdown(): void {
    this.stopped = true;
    for (const { timer } of this.later.values()) this.clock.clearTimeout(timer);
    this.later.clear();
    this.dirty.clear();
    this.urgent.clear();
    this.ready.clear();
    this.failed.clear();
    for (let resolve = this.idle.shift(); resolve; resolve = this.idle.shift()) resolve(undefined);
  }

  /** Resolves when, after `shutdown`, no worker has a key any more. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.stopped && this.processing.size === 0) resolve();
      else this.whenDrained.push(resolve);
    });
  }

  private enqueue(key: string): void {
    (this.options.isUrgent(key) ? this.urgent : this.ready).push(parseKey(key).namespace ?? '', key);
  }

  /** Hands ready keys to workers that wait. */
  private handOut(): void {
    while (this.idle.size > 0 && this.depth > 0) {
      const isUrgent = this.isUrgentTurn();
      const key = (isUrgent ? this.urgent : this.ready).shift()!;
      const now = this.clock.monotonic();
      const added = this.dirty.get(key)!;
      this.dirty.delete(key);
      this.processing.set(key, { since: now, isUrgent });
      if (!isUrgent) this.othersRunning++;
      this.hooks.onStart?.((now - added) / 1_000);
      this.idle.shift()!(key);
    }
  }

  /** Returns whether the next key is an urgent one. A key must be ready. */
  private isUrgentTurn(): boolean {
    const [hasUrgent, hasOthers] = [this.urgent.size > 0, this.ready.size > 0];
    const isUrgent = hasUrgent && !(hasOthers && this.isOthersTurn());
    this.urgentTurns = isUrgent && hasOthers ? this.urgentTurns + 1 : 0;
    return isUrgent;
  }

  private isOthersTurn(): boolean {
    const workers = this.processing.size + this.idle.size;
    return this.urgentTurns >= URGENT_TURNS && this.othersRunning < Math.max(1, Math.floor(workers * OTHERS_SHARE));
  }
}
