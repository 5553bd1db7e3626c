import { randomBytes } from 'node:crypto';
import type { KubeClient } from './client';
import { type Clock, sleep, systemClock, type Timer } from './clock';
import { withDefaults } from './defaults';
import { isAlreadyExists, isNotFound, isTransient } from './errors';
import { FairQueue } from './fair-queue';
import type { Logger } from './logger';
import { keyOf, type KubeObject } from './objects';
import { apiVersionOf, defineResource, type Resource } from './resource';

/** A note of this many bytes of UTF-8 is long enough; the newer API of events takes no longer ones. */
const MAX_NOTE_BYTES = 1_024;
const MAX_NAME = 253;

/** Equal events within this time, in milliseconds, are one event with a count. */
const MERGE_WITHIN = 600_000;

/** How many events are remembered for that. */
const MAX_REMEMBERED = 4_096;

/** A count is written at most this often, in milliseconds: an event that comes all the time must not be a load. */
const SERIES_INTERVAL = 10_000;

const MAX_ATTEMPTS = 4;
const RETRY_AFTER = 1_000;

/** Which object an event is about, or has to do with. */
export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

/** What happened. */
export interface EventDescription {
  /** `Warning` for what the user may have to do something about. */
  readonly type: 'Normal' | 'Warning';
  /** Why, as one CamelCase word for machines, for example `SparkDriverRunning`. */
  readonly reason: string;
  /** What was done or tried, as one CamelCase word, for example `Submit`. */
  readonly action: string;
  /** The same for people; cut to 1,024 bytes. No secrets. */
  readonly note: string;
  /** Another object that has to do with it. */
  readonly related?: ObjectReference;
}

/** An Event of the core API as in its JSON. */
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
 * Events of the core API: kubectl sorts events by their last timestamp, which the newer API (`events.k8s.io/v1`) does not
 * allow to be set, so that `kubectl describe` would show a story in a random order.
 */
export const EVENTS: Resource<KubeEvent> = defineResource<KubeEvent>({
  group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true,
});

/** Settings of a recorder. */
export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  /** Name of the controller, as it is shown to users. */
  readonly reportingController: string;
  /** Name of this process: the pod's. */
  readonly reportingInstance: string;
  /**
   * Events that wait to be written. Beyond it, the recorder drops the oldest of the namespace with
   * most. @default 1000
   */
  readonly capacity?: number;
  /** Events written at once. @default 4 */
  readonly concurrency?: number;
  readonly logger: Logger;
  /** Told of each event that is lost. Must not throw. @default - nobody is told */
  readonly onDropped?: () => void;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** An event, written or to be written, with how often it has happened. */
interface Series {
  readonly key: string;
  readonly event: KubeEvent;
  count: number;
  lastObserved: number;
  /** The count that the server has; 0 until the event exists. */
  written: number;
  writtenAt: number;
  /** Pending until a higher count may be written. */
  timer?: Timer;
}

/** A reference to an object, for `EventRecorder.record`. */
export function referenceTo(resource: Resource, { metadata }: KubeObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name, uid, resourceVersion };
}

/**
 * Tells users what happens to their objects. It never throws and never lets its caller wait: events are written in the
 * background, and lost rather than let to pile up.
 */
export class EventRecorder {
  private readonly options;
  private readonly clock: Clock;
  /** Recent events, those first that have not happened for the longest time. */
  private readonly recent = new Map<string, Series>();
  /** By namespace: namespaces take turns, so that a flooding one only delays its own events. */
  private readonly waiting = new FairQueue<Series>();
  private readonly writing = new Set<Series>();
  private whenIdle: (() => void)[] = [];
  private warnedAt = -Infinity;
  private lost = 0;
  private lastName = 0;
  /** Two processes may write at the same time. */
  private readonly processSuffix = randomBytes(2).toString('hex');

  constructor(options: EventRecorderOptions) {
    this.options = withDefaults(options, { capacity: 1_000, concurrency: 4, clock: systemClock });
    this.clock = this.options.clock;
  }

  /** How many events were lost. */
  get dropped(): number {
    return this.lost;
  }

  /** Records that something happened. The same again within ten minutes raises the count of the first. */
  record(regarding: ObjectReference, description: EventDescription): void {
    try {
      const now = this.clock.now();
      this.schedule(this.observe(regarding, description, now));
    } catch (error) {
      this.drop(error, 'an event could not be recorded');
    }
  }

  /**
   * Writes what is waiting, counts included.
   *
   * @param timeout milliseconds
   * @returns whether all was written, or given up, in time
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
      // Counts may rise while they are written: hence again.
      await Promise.race([late, new Promise<void>((resolve) => this.whenIdle.push(resolve))]);
    }
    this.clock.clearTimeout(timer);
    return !timedOut.signal.aborted;
  }

  /** Finds the series that this belongs to, or begins one. */
  private observe(regarding: ObjectReference, description: EventDescription, now: number): Series {
    const { type, reason, action, note } = description;
    // By what is written of the note: all of a long one would stay in memory.
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

  /** Grows with time, as kubectl orders the events of one second by name. */
  private uniqueSuffix(now: number): string {
    this.lastName = Math.max(this.lastName + 1, now * 256);
    return `${this.lastName.toString(16).padStart(14, '0')}${this.processSuffix}`;
  }

  /** Sees to it that what is new of a series is written: its beginning at once, a higher count when it is time for one. */
  private schedule(series: Series): void {
    if (series.count === series.written) return;
    const wait = series.written === 0 ? 0 : series.writtenAt + SERIES_INTERVAL - this.clock.now();
    if (wait <= 0) return this.enqueue(series);
    // The wall clock may have been set back.
    series.timer ??= this.clock.setTimeout(() => this.enqueue(series), Math.min(wait, SERIES_INTERVAL));
    // A count is no reason for a process to stay.
    (series.timer as Partial<NodeJS.Timeout>).unref?.();
  }

  private enqueue(series: Series): void {
    this.clock.clearTimeout(series.timer);
    series.timer = undefined;
    // What is being written is looked at again afterwards.
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
        // The count may have risen in the meantime.
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

  /** Writes the newest count of a series; never rejects. @returns whether the server has it; otherwise it is given up */
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
          // The names are ours alone: an earlier attempt came through although its answer did not.
          series.written = 1;
        } else if (isNotFound(error) && series.written > 0) {
          // The server keeps events for an hour only: it has to be made again.
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
    // A missing permission would otherwise fill the log.
    if (now - this.warnedAt < 60_000) return;
    this.warnedAt = now;
    this.options.logger.warn({ err: error, dropped: this.lost }, message);
  }
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

function truncate(note: string): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= MAX_NOTE_BYTES) return note;
  // As in a stream, the decoder keeps back a character that is cut in two.
  return `${new TextDecoder().decode(bytes.subarray(0, MAX_NOTE_BYTES - 3), { stream: true })}…`;
}
