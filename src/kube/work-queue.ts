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

/** Callbacks for metrics. They must not throw. */
export interface WorkQueueHooks {
  /** A key was added that was not waiting already. */
  onAdd?(): void;
  /** A worker has taken a key that waited for this time. */
  onStart?(waitSeconds: number): void;
  /** A worker has finished a key after this time. */
  onDone?(workSeconds: number): void;
  /** A key will be added later, after a failure or because a caller asked for it. */
  onAddLater?(): void;
}

/** Settings of a work queue. */
export interface WorkQueueOptions {
  /**
   * Milliseconds before a key is requeued after its first failure; doubles with each further one.
   * @default 5
   */
  readonly minBackoff?: number;
  /** Maximum milliseconds before a key is requeued after failures. @default 60000 */
  readonly maxBackoff?: number;
  /**
   * Whether a key precedes waiting keys that are not urgent. Called once, when
   * the key becomes ready; must be fast and must not throw. Work on other keys can take much
   * longer.
   * @default - no key is urgent
   */
  readonly isUrgent?: (key: string) => boolean;
  /** @default - none */
  readonly hooks?: WorkQueueHooks;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/**
 * A queue of keys to work on. Namespaces take turns, separately among urgent keys and among others.
 * Within a namespace keys keep the order in which they became ready. So a namespace with thousands
 * of keys delays another one by one key at a time.
 *
 * Urgent keys precede the others, which get every fourth turn. While urgent keys wait, the others
 * hold at most a fifth of the workers, but at least one.
 *
 * A key waits at most once, however often it is added, and only one worker at a time has it. A key
 * that is added while a worker has it is queued again afterwards. So each key is processed after
 * its last `add`, and workers need no locks.
 */
export class WorkQueue {
  private readonly options;
  private readonly clock: Clock;
  private readonly hooks: WorkQueueHooks;
  /** Urgent keys, by namespace. */
  private readonly urgent = new FairQueue<string>();
  /** Other keys, by namespace. */
  private readonly ready = new FairQueue<string>();
  /**
   * Keys to process, with the time of their addition: all ready keys, and keys added while a worker
   * had them.
   */
  private readonly dirty = new Map<string, number>();
  /** Keys that a worker has, and since when. */
  private readonly processing = new Map<string, { readonly since: number; readonly isUrgent: boolean }>();
  /** Keys to add later. */
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
    const defaults = { minBackoff: 5, maxBackoff: 60_000, isUrgent: () => false, hooks: {}, clock: systemClock, random: Math.random };
    this.options = withDefaults(options, defaults);
    this.clock = this.options.clock;
    this.hooks = this.options.hooks;
  }

  /** Number of ready keys that wait for a worker. */
  get depth(): number {
    return this.urgent.size + this.ready.size;
  }

  /** Number of keys that a worker has. */
  get running(): number {
    return this.processing.size;
  }

  /** Number of keys to add later. */
  get delayed(): number {
    return this.later.size;
  }

  /** Milliseconds for which the slowest worker has had its key; 0 without any. */
  get longestRunning(): number {
    const [oldest] = this.processing.values();
    return oldest === undefined ? 0 : this.clock.monotonic() - oldest.since;
  }

  /** Milliseconds for which all workers together have had their keys. */
  get unfinished(): number {
    const now = this.clock.monotonic();
    return [...this.processing.values()].reduce((sum, { since }) => sum + now - since, 0);
  }

  /** Adds a key to process as soon as possible. No effect after `shutdown`. */
  add(key: string): void {
    if (this.stopped || this.dirty.has(key)) return;
    this.dirty.set(key, this.clock.monotonic());
    this.hooks.onAdd?.();
    if (this.processing.has(key)) return;
    this.enqueue(key);
    this.handOut();
  }

  /**
   * Adds a key later. If the key already has a later addition, the earlier time applies.
   *
   * @param ms milliseconds; a value that is not positive means now, and values above 24.8 days are
   * reduced to that
   * @throws {RangeError} if `ms` is NaN
   */
  addAfter(key: string, ms: number): void {
    if (Number.isNaN(ms)) throw new RangeError(`the delay of ${key} is not a number`);
    if (ms <= 0) {
      this.add(key);
      return;
    }
    if (this.stopped) return;
    this.hooks.onAddLater?.();
    const delay = Math.min(ms, MAX_TIMEOUT);
    const due = this.clock.monotonic() + delay;
    const waiting = this.later.get(key);
    if (waiting && waiting.due <= due) return;
    this.clock.clearTimeout(waiting?.timer);
    const timer = this.clock.setTimeout(() => {
      this.later.delete(key);
      this.add(key);
    }, delay);
    this.later.set(key, { due, timer });
  }

  /**
   * Requeues a key after a failure, later with each failure since the last `forget`.
   *
   * @param atLeast minimum milliseconds; jitter adds up to half of it, as other clients got the
   * same Retry-After
   */
  addRateLimited(key: string, atLeast = 0): void {
    const failures = this.failures(key);
    const { minBackoff, maxBackoff, random } = this.options;
    if (this.stopped) return;
    this.failed.set(key, failures + 1);
    this.addAfter(key, Math.max(atLeast * (1 + random() / 2), backoff(failures, minBackoff, maxBackoff, random)));
  }

  /** Resets the failures of a key. Callers must call it after success. */
  forget(key: string): void {
    this.failed.delete(key);
  }

  /** Returns the number of failures since the last `forget`. */
  failures(key: string): number {
    return this.failed.get(key) ?? 0;
  }

  /**
   * Takes the next key, or waits for one. The worker must always call `done` afterwards.
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

  /**
   * Stops the queue and drops waiting keys: the next process derives them from the cluster's state.
   */
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

  /** Resolves when, after `shutdown`, no worker has a key. */
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
