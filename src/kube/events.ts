import { randomBytes } from 'node:crypto';
import type { KubeClient } from './client';
import { type Clock, sleep, systemClock, type Timer } from './clock';
import { withDefaults } from './defaults';
import { isAlreadyExists, isNotFound, isTransient } from './errors';
import { FairQueue } from './fair-queue';
import type { Logger } from './logger';
import { keyOf, type KubeObject } from './objects';
import { apiVersionOf, defineResource, type Resource } from './resource';

/** Longest note in bytes of UTF-8; the newer events API accepts no longer ones. */
const MAX_NOTE_BYTES = 1_024;
const MAX_NAME = 253;

/** Milliseconds within which equal events become one event with a count. */
const MERGE_WITHIN = 600_000;

/** Number of recent events that are kept for merging. */
const MAX_REMEMBERED = 4_096;

/** Milliseconds between two writes of a series' count, to limit the load of frequent events. */
const SERIES_INTERVAL = 10_000;

const MAX_ATTEMPTS = 4;
const RETRY_AFTER = 1_000;

/** Reference to an object that an event is about, or related to. */
export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

/** Content of an event. */
export interface EventDescription {
  /** `Warning` if the user might have to act. */
  readonly type: 'Normal' | 'Warning';
  /** Reason as one CamelCase word for programs, for example `SparkDriverRunning`. */
  readonly reason: string;
  /** Action that was done or tried, as one CamelCase word, for example `Submit`. */
  readonly action: string;
  /** Description for people, cut to 1,024 bytes. No secrets. */
  readonly note: string;
  /** A related object. */
  readonly related?: ObjectReference;
}

/** An Event of the core API, as in its JSON. */
export interface KubeEvent extends KubeObject {
  readonly involvedObject: ObjectReference;
  readonly related?: ObjectReference;
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly message: string;
  readonly count: number;
  /** RFC 3339, to the second. */
  readonly firstTimestamp: string;
  /** RFC 3339, to the second. */
  readonly lastTimestamp: string;
  readonly source: { readonly component: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

/**
 * Events of the core API. kubectl sorts events by their last timestamp. The newer API
 * (`events.k8s.io/v1`) does not allow clients to set it, so `kubectl describe` would show events in
 * a random order.
 */
export const EVENTS: Resource<KubeEvent> = defineResource<KubeEvent>({
  group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true,
});

/** Settings of a recorder. */
export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  /** Name of the controller, as users see it. */
  readonly reportingController: string;
  /** Name of this process: the pod's name. */
  readonly reportingInstance: string;
  /**
   * Events that can wait for their write. Beyond it, the recorder drops the oldest of the namespace
   * with most.
   * @default 1000
   */
  readonly capacity?: number;
  /** Concurrent writes of events. @default 4 */
  readonly concurrency?: number;
  readonly logger: Logger;
  /** Called for each lost event. Must not throw. @default - none */
  readonly onDropped?: () => void;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** An event and its count, written or to be written. */
interface Series {
  readonly key: string;
  readonly event: KubeEvent;
  count: number;
  lastObserved: number;
  /** Count that the server has; 0 until the event exists. */
  written: number;
  writtenAt: number;
  /** Pending until the next write of the count. */
  timer?: Timer;
}

/** Returns a reference to an object, for `EventRecorder.record`. */
export function referenceTo(resource: Resource, { metadata }: KubeObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name, uid, resourceVersion };
}

/**
 * Records events about users' objects. It never throws and never blocks its caller: it writes
 * events in the background, and drops events instead of queueing without limit.
 */
export class EventRecorder {
  private readonly options;
  private readonly clock: Clock;
  /** Recent events, least recently observed first. */
  private readonly recent = new Map<string, Series>();
  /**
   * Series to write, by namespace. Namespaces take turns, so a flooding one only delays its own
   * events.
   */
  private readonly waiting = new FairQueue<Series>();
  private readonly writing = new Set<Series>();
  private whenIdle: (() => void)[] = [];
  private warnedAt = -Infinity;
  private lost = 0;
  private lastName = 0;
  /** Distinguishes processes that write at the same time. */
  private readonly processSuffix = randomBytes(2).toString('hex');

  constructor(options: EventRecorderOptions) {
    this.options = withDefaults(options, { capacity: 1_000, concurrency: 4, clock: systemClock });
    this.clock = this.options.clock;
  }

  /** Number of lost events. */
  get dropped(): number {
    return this.lost;
  }

  /** Records an event. An equal event within ten minutes increments the count of the first. */
  record(regarding: ObjectReference, description: EventDescription): void {
    try {
      const now = this.clock.now();
      this.schedule(this.observe(regarding, description, now));
    } catch (error) {
      this.drop(error, 'an event could not be recorded');
    }
  }

  /**
   * Writes all waiting events and counts.
   *
   * @param timeout milliseconds
   * @returns whether all were written, or dropped, in time
   */
  async flush(timeout = 5_000): Promise<boolean> {
    const timedOut = new AbortController();
    const timer = this.clock.setTimeout(() => timedOut.abort(), timeout);
    const late = new Promise<void>((resolve) => timedOut.signal.addEventListener('abort', () => resolve()));
    while (!timedOut.signal.aborted) {
      for (const series of this.recent.values()) {
        if (series.count > series.written) this.enqueue(series);
      }
      if (this.isIdle()) break;
      // Counts can increase during their write, hence the loop.
      await Promise.race([late, new Promise<void>((resolve) => this.whenIdle.push(resolve))]);
    }
    this.clock.clearTimeout(timer);
    return !timedOut.signal.aborted;
  }

  /** Returns the series of an event; creates it if it is new. */
  private observe(regarding: ObjectReference, description: EventDescription, now: number): Series {
    const { type, reason, action, note } = description;
    // The key has the truncated note: a long one would stay in memory.
    const key = JSON.stringify([regarding.kind, keyOf(regarding), regarding.uid, type, reason, action, truncate(note)]);
    let series = this.recent.get(key);
    if (series && now - series.lastObserved < MERGE_WITHIN) {
      series.count++;
      series.lastObserved = now;
    } else {
      series = { key, event: this.eventOf(regarding, description, now), count: 1, lastObserved: now, written: 0, writtenAt: 0 };
    }
    this.recent.delete(key);
    this.recent.set(key, series);
    if (this.recent.size > MAX_REMEMBERED) this.recent.delete(this.recent.keys().next().value!);
    return series;
  }

  private eventOf(regarding: ObjectReference, { type, reason, action, note, related }: EventDescription, now: number): KubeEvent {
    const suffix = `.${this.uniqueSuffix(now)}`;
    const prefix = regarding.name.slice(0, MAX_NAME - suffix.length).replace(/[^a-z0-9]+$/, '');
    const { reportingController, reportingInstance } = this.options;
    return {
      apiVersion: apiVersionOf(EVENTS),
      kind: EVENTS.kind,
      metadata: { name: `${prefix}${suffix}`, namespace: regarding.namespace ?? 'default' },
      involvedObject: regarding,
      related,
      type,
      reason,
      action,
      message: truncate(note),
      count: 1,
      firstTimestamp: timestamp(now),
      lastTimestamp: timestamp(now),
      source: { component: reportingController },
      reportingComponent: reportingController,
      reportingInstance,
    };
  }

  /**
   * Returns a suffix that increases with time: kubectl orders the events of one second by name.
   * `timeInName` reads it.
   */
  private uniqueSuffix(now: number): string {
    this.lastName = Math.max(this.lastName + 1, now * 256);
    return `${this.lastName.toString(16).padStart(14, '0')}${this.processSuffix}`;
  }

  /**
   * Schedules the write of a series' changes: a new event at once, a higher count after the
   * interval.
   */
  private schedule(series: Series): void {
    if (series.count === series.written) return;
    const wait = series.written === 0 ? 0 : series.writtenAt + SERIES_INTERVAL - this.clock.now();
    if (wait <= 0) return this.enqueue(series);
    // The wall clock might have been set back.
    series.timer ??= this.clock.setTimeout(() => this.enqueue(series), Math.min(wait, SERIES_INTERVAL));
    // A pending count does not keep the process alive.
    (series.timer as Partial<NodeJS.Timeout>).unref?.();
  }

  private enqueue(series: Series): void {
    this.clock.clearTimeout(series.timer);
    series.timer = undefined;
    // `startWriting` schedules it again after the current write.
    if (this.writing.has(series)) return;
    this.waiting.push(series.event.metadata.namespace!, series);
    if (this.waiting.size > this.options.capacity) {
      this.forget(this.waiting.shiftLargest()!);
      this.drop(undefined, 'too many events are waiting; the recorder dropped the oldest of the namespace with most');
    }
    this.startWriting();
  }

  private startWriting(): void {
    while (this.waiting.size > 0 && this.writing.size < this.options.concurrency) {
      const series = this.waiting.shift()!;
      this.writing.add(series);
      void this.write(series).then((isWritten) => {
        this.writing.delete(series);
        // The count might have increased in the meantime.
        if (isWritten) this.schedule(series);
        this.startWriting();
      });
    }
    if (this.isIdle()) {
      this.whenIdle.forEach((resolve) => resolve());
      this.whenIdle = [];
    }
  }

  private isIdle(): boolean {
    return this.waiting.size === 0 && this.writing.size === 0;
  }

  /**
   * Writes the newest count of a series; never rejects.
   * @returns whether the server has it; otherwise the series is dropped
   */
  private async write(series: Series): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const { count } = series;
      try {
        await this.put(series);
        series.written = count;
        series.writtenAt = this.clock.now();
        return true;
      } catch (error) {
        if (isAlreadyExists(error)) {
          // No other process uses these names: an earlier attempt succeeded, but its answer was
          // lost.
          series.written = 1;
        } else if (isNotFound(error) && series.written > 0) {
          // The server keeps events for one hour only, so create the event again.
          series.written = 0;
        } else if (!isTransient(error)) {
          attempt = MAX_ATTEMPTS;
        }
        if (attempt >= MAX_ATTEMPTS) {
          this.forget(series);
          this.drop(error, 'an event could not be written');
          return false;
        }
      }
      if (series.count === series.written) return true;
      await sleep(this.clock, RETRY_AFTER * attempt);
    }
  }

  private async put({ event, count, lastObserved, written }: Series): Promise<void> {
    const { client } = this.options;
    const seen = { count, lastTimestamp: timestamp(lastObserved) };
    if (written === 0) {
      await client.create(EVENTS, { ...event, ...seen });
    } else {
      await client.patch(EVENTS, event.metadata, { type: 'merge', body: seen });
    }
  }

  private forget(series: Series): void {
    if (this.recent.get(series.key) === series) this.recent.delete(series.key);
  }

  private drop(error: unknown, message: string): void {
    this.lost++;
    this.options.onDropped?.();
    const now = this.clock.monotonic();
    // A missing permission would otherwise flood the log.
    if (now - this.warnedAt < 60_000) return;
    this.warnedAt = now;
    this.options.logger.warn({ err: error, dropped: this.lost }, message);
  }
}

/** Suffixes of client-go's recorders, in nanoseconds, and of `EventRecorder`. */
const [NANOSECONDS, OWN] = [/\.([0-9a-f]{16})$/, /\.([0-9a-f]{14})[0-9a-f]{4}$/];

/**
 * Returns the last time of an event with the fraction of its second, if that is known, in
 * milliseconds since 1970. A program can write its events in another order than it recorded them.
 *
 * @param last the time in whole seconds
 */
export function preciseTime({ metadata: { name }, eventTime }: Timed, last: number): number {
  const precise = timeInName(name) ?? Date.parse(eventTime ?? '');
  return Math.floor(precise / 1_000) === Math.floor(last / 1_000) ? precise : last;
}

/** Fields of an event that can have the fraction of a second. */
interface Timed {
  readonly metadata: { readonly name: string };
  readonly eventTime?: string | null;
}

/**
 * Returns the time at which a recorder created an event, in milliseconds since 1970, with a
 * fraction; undefined if its name has none. The timestamps of events are in whole seconds.
 */
export function timeInName(name: string): number | undefined {
  const [, nanoseconds] = NANOSECONDS.exec(name) ?? [];
  if (nanoseconds !== undefined) return Number(BigInt(`0x${nanoseconds}`)) / 1e6;
  const [, own] = OWN.exec(name) ?? [];
  return own === undefined ? undefined : parseInt(own, 16) / 256;
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

function truncate(note: string): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= MAX_NOTE_BYTES) return note;
  // In streaming mode the decoder omits an incomplete character at the end.
  return `${new TextDecoder().decode(bytes.subarray(0, MAX_NOTE_BYTES - 3), { stream: true })}…`;
}
