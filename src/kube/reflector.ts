import { setImmediate as turn } from 'node:timers/promises';
import { backoff } from './backoff';
import type { KubeClient, UnreadPage, WatchEvent } from './client';
import { type Clock, type Random, sleep, systemClock } from './clock';
import { withDefaults } from './defaults';
import { ApiError, isGone, isResourceVersionTooNew, isTransient, NetworkError, toError } from './errors';
import type { FairSemaphore } from './fair-semaphore';
import type { Logger } from './logger';
import { compareResourceVersions, type KubeObject } from './objects';
import { Pages, type PageRequest } from './pages';
import type { Resource } from './resource';
import type { Store } from './store';

/**
 * Attempts of a paged list that can lose their continue token; after them it is read in one page.
 */
const PAGED_ATTEMPTS = 2;

/**
 * Seconds after which the server ends a watch; random between the two, so that not all end
 * together.
 */
const WATCH_SECONDS = { min: 240, max: 480 };

/** Milliseconds; a watch that the server ends sooner is a failure. */
const SHORT_WATCH = 1_000;

/**
 * Failed watches without any event in a row, after which the reflector lists again: the resource
 * version might be the cause.
 */
const MAX_WATCHES_WITHOUT_EVENTS = 3;

/**
 * Multiple of `idleTimeout` without news after which a failed watch is not resumed. On a server
 * without bookmarks a quiet watch fails by this timeout again and again; a new list then shows that
 * all is well.
 */
const MAX_IDLE_TIMES = 2;

/** The part of the client that a reflector needs. */
export type ListWatcher = Pick<KubeClient, 'openPage' | 'watch'>;

/** Settings of a reflector: the collection and the store. */
export interface ReflectorOptions<T extends KubeObject, P extends KubeObject> {
  readonly client: ListWatcher;
  readonly resource: Resource<T>;
  /**
   * Store to keep equal to the server's state. Reflectors of different namespaces can share one.
   */
  readonly store: Store<P>;
  /**
   * Transform of arriving objects, as in client-go's SetTransform: it drops unneeded fields, which
   * determines the operator's memory. It must keep name, namespace, uid and resource version. An
   * object for which it throws is reported and skipped.
   * @default - objects are stored unchanged
   */
  readonly transform?: (object: T) => P;
  /** @default - all namespaces */
  readonly namespace?: string;
  /** @default - all objects */
  readonly labelSelector?: string;
  /** @default - all objects */
  readonly fieldSelector?: string;
  /**
   * Maximum objects per page of a list. A pod has about 5 kB, most of which is dropped. Each read
   * leaves holes of its size in the memory of the process.
   * @default 100
   */
  readonly pageSize?: number;
  /**
   * Limits the concurrent pages of several reflectors, as many at once would take much memory.
   * @default - none
   */
  readonly listSemaphore?: FairSemaphore;
  /**
   * Milliseconds without a byte after which a watch is treated as dead. The server sends bookmarks
   * about every minute.
   * @default 120000
   */
  readonly idleTimeout?: number;
  /** Milliseconds to wait after the first failure. @default 800 */
  readonly minBackoff?: number;
  /**
   * Milliseconds to wait after many failures. A watch that lasts longer resets the count of
   * failures.
   * @default 30000
   */
  readonly maxBackoff?: number;
  readonly logger: Logger;
  /**
   * Receives every failure; the reflector then continues by itself. Must not throw.
   * @default - none
   */
  readonly onError?: (error: Error) => void;
  /**
   * Called for each sign that the server answers: a page of a list, and everything that a watch
   * receives. Must not throw.
   * @default - none
   */
  readonly onWell?: () => void;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** State of a reflector, for health checks. */
export interface ReflectorHealth {
  /** Whether the store has had the server's whole state once. */
  readonly synced: boolean;
  /**
   * Milliseconds since the last news: a list, an event, a bookmark, or the regular end of a watch.
   * An open watch is no news: it might be stuck. A healthy server sends news about every minute;
   * one without bookmarks, at least every four minutes.
   */
  readonly silentFor: number;
  /** Consecutive failures since a watch last lasted long enough. */
  readonly failures: number;
  /** Error of the last failure. */
  readonly lastError?: Error;
}

/**
 * Keeps a store equal to a collection on the server: it lists the collection, then watches it, and
 * never gives up.
 *
 * It resumes a broken watch at its last resource version. It lists the collection again if the
 * server no longer has the changes since then, sent invalid data or an error in the stream, or if
 * watches fail repeatedly. The store then reports the differences to its listeners.
 */
export class Reflector<T extends KubeObject, P extends KubeObject = T> {
  /**
   * Resolves to `true` when the store has had the server's whole state once; to `false` when the
   * reflector was stopped before.
   */
  readonly hasSynced: Promise<boolean>;
  private readonly options;
  private readonly stopping = new AbortController();
  private resolveSynced!: (synced: boolean) => void;
  private running?: Promise<void>;
  private synced = false;
  private lastEvent: number;
  private watchingSince = Infinity;
  /** Whether the server has started to answer the watch. */
  private isOpen = false;
  /** Consecutive watches that failed without any event. */
  private watchesWithoutEvents = 0;
  private failures = 0;
  private lastError?: Error;
  /** Resource version to resume at; `undefined` if the collection must be listed. */
  private resourceVersion?: string;

  constructor(options: ReflectorOptions<T, P>) {
    this.options = withDefaults(options, {
      transform: (object: T) => object as KubeObject as P,
      pageSize: 100,
      idleTimeout: 120_000,
      minBackoff: 800,
      maxBackoff: 30_000,
      clock: systemClock,
      random: Math.random,
    });
    this.lastEvent = this.options.clock.monotonic();
    this.hasSynced = new Promise((resolve) => { this.resolveSynced = resolve; });
  }

  /** Starts the reflector; a second call has no effect. */
  start(): void {
    this.running ??= this.run();
  }

  /**
   * Stops the reflector permanently; after it resolves, the reflector does not write to the store.
   */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the reflector is stopping'));
    await this.running;
    this.resolveSynced(false);
  }

  /** Returns the state of the reflector, for health checks. */
  health(): ReflectorHealth {
    const { synced, silentFor, failures, lastError } = this;
    return { synced, silentFor, failures, lastError };
  }

  private async run(): Promise<void> {
    const { clock, random, minBackoff, maxBackoff } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let error: Error | undefined;
      this.watchingSince = Infinity;
      this.isOpen = false;
      try {
        if (this.resourceVersion === undefined) await this.list();
        this.watchingSince = clock.monotonic();
        await this.watch();
      } catch (thrown) {
        error = toError(thrown);
      }
      if (signal.aborted) return;

      const lasted = clock.monotonic() - this.watchingSince;
      if (this.isOpen && lasted >= maxBackoff) this.failures = 0;
      if (!error && lasted >= SHORT_WATCH) {
        this.markFresh();
        continue;
      }
      this.watchesWithoutEvents++;
      if (!this.canResume(error)) this.resourceVersion = undefined;
      error ??= new Error(`the server ended the watch after ${Math.round(lasted)} ms`);
      this.report(error);
      // An expired resource version is normal unless it happens repeatedly.
      const pause = isGone(error) && this.failures === 0 ? 0 : backoff(this.failures, minBackoff, maxBackoff, random);
      // The server sent the same Retry-After to all rejected clients; jitter keeps them from
      // returning together.
      const asked = (error instanceof ApiError ? error.retryAfter ?? 0 : 0) * 1_000 * (1 + random() / 2);
      const wait = Math.max(pause, Math.min(asked, maxBackoff));
      this.failures++;
      await sleep(clock, wait, signal).catch(() => {});
    }
  }

  private async list(): Promise<void> {
    const { store, namespace, listSemaphore, resource } = this.options;
    const { signal } = this.stopping;
    const leave = await listSemaphore?.enter(resource.plural, signal);
    const knownBefore = store.knownResourceVersion(namespace);
    const { objects, resourceVersion } = await this.readCollection().finally(() => leave?.());
    signal.throwIfAborted();
    const reset = (compareResourceVersions(resourceVersion, knownBefore) ?? 0) < 0;
    store.replace({ objects, resourceVersion, namespace, reset });
    this.resourceVersion = resourceVersion;
    this.synced = true;
    this.resolveSynced(true);
  }

  private async readCollection(): Promise<{ objects: P[]; resourceVersion: string }> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.readPages(attempt <= PAGED_ATTEMPTS ? this.options.pageSize : undefined);
      } catch (error) {
        if (!isGone(error) || attempt > PAGED_ATTEMPTS) throw error;
        this.report(toError(error));
      }
    }
  }

  private async readPages(limit: number | undefined): Promise<{ objects: P[]; resourceVersion: string }> {
    const objects: P[] = [];
    // If a page fails, the next one, which might be under way, is not needed.
    const ending = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, ending.signal]);
    const open = (page: Partial<PageRequest>) => this.openPage(page, signal);
    const pages = limit === undefined ? undefined : new Pages<T>(limit, open);
    try {
      let next = pages ? pages.next() : open({});
      while (true) {
        const { items, metadata } = await next;
        if (metadata.continue) {
          next = pages ? pages.next(metadata.continue) : open({ continue: metadata.continue });
          // It is awaited after this page was read.
          next.catch(() => {});
          // Request it before reading this page, so that the server prepares it meanwhile.
          await turn();
        }
        for (const item of items) {
          const object = this.transform(item);
          if (object) objects.push(object);
        }
        this.markFresh();
        this.options.onWell?.();
        if (!metadata.continue) return { objects, resourceVersion: metadata.resourceVersion };
      }
    } finally {
      ending.abort(new Error('the list is over'));
    }
  }

  private openPage(page: Partial<PageRequest>, signal: AbortSignal): Promise<UnreadPage<T>> {
    const { client, resource, namespace, labelSelector, fieldSelector } = this.options;
    return client.openPage(resource, { namespace, labelSelector, fieldSelector, ...page, signal });
  }

  private async watch(): Promise<void> {
    const { client, resource, namespace, labelSelector, fieldSelector, idleTimeout, random } = this.options;
    await client.watch(resource, {
      namespace,
      labelSelector,
      fieldSelector,
      resourceVersion: this.resourceVersion!,
      timeoutSeconds: Math.round(WATCH_SECONDS.min + random() * (WATCH_SECONDS.max - WATCH_SECONDS.min)),
      idleTimeout,
      onActivity: () => this.onActivity(),
      signal: this.stopping.signal,
    }, (event) => this.onEvent(event));
  }

  private onEvent(event: WatchEvent<T>): void {
    const { store, namespace } = this.options;
    const { resourceVersion } = event.object.metadata;
    if (event.type === 'BOOKMARK') {
      const order = compareResourceVersions(resourceVersion, this.resourceVersion);
      if (order !== undefined && order < 0) {
        throw new Error(`the server's history went back from ${this.resourceVersion} to ${resourceVersion}`);
      }
      store.advance(resourceVersion, namespace);
    } else if (event.type !== 'DELETED' && this.isStored(event.object)) {
      store.advance(resourceVersion, namespace);
    } else {
      const object = this.transform(event.object);
      if (object) store.apply(event.type, object, namespace);
    }
    this.resumeAt(resourceVersion);
    this.markFresh();
  }

  /** Whether the store has this state, as after an own write: it need not be transformed again. */
  private isStored({ metadata }: T): boolean {
    const stored = this.options.store.get(metadata)?.metadata;
    return stored?.uid === metadata.uid && stored?.resourceVersion === metadata.resourceVersion;
  }

  private resumeAt(resourceVersion: string | undefined): void {
    const order = compareResourceVersions(resourceVersion, this.resourceVersion);
    if (order === undefined || order > 0) this.resourceVersion = resourceVersion;
  }

  private transform(object: T): P | undefined {
    try {
      return this.options.transform(object);
    } catch (error) {
      this.report(toError(error));
      return undefined;
    }
  }

  private onActivity(): void {
    const { clock, maxBackoff, onWell } = this.options;
    this.isOpen = true;
    onWell?.();
    if (clock.monotonic() - this.watchingSince >= maxBackoff) this.failures = 0;
  }

  private markFresh(): void {
    this.lastEvent = this.options.clock.monotonic();
    this.watchesWithoutEvents = 0;
  }

  private get silentFor(): number {
    return this.options.clock.monotonic() - this.lastEvent;
  }

  /**
   * Whether to resume the watch; otherwise the collection must be listed.
   *
   * @param error why it broke; `undefined` if the server ended it too soon
   */
  private canResume(error: Error | undefined): boolean {
    if (error && (!isTransient(error) || isGarbled(error) || isResourceVersionTooNew(error))) return false;
    // A server too busy for a watch is too busy for a list.
    if (error instanceof ApiError && error.status === 429) return true;
    if (this.silentFor >= MAX_IDLE_TIMES * this.options.idleTimeout) return false;
    // An error in the stream would occur at the same resource version again. An unreachable server
    // is no reason to list.
    if (error instanceof ApiError && this.isOpen) return false;
    return (error instanceof NetworkError && !this.isOpen) || this.watchesWithoutEvents < MAX_WATCHES_WITHOUT_EVENTS;
  }

  private report(error: Error): void {
    const { logger, resource, namespace, onError } = this.options;
    this.lastError = error;
    const fields = { err: error, resource: resource.plural, namespace, failures: this.failures };
    if (isTransient(error) || isGone(error)) {
      logger.info(fields, 'lost the watch; resuming it');
    } else {
      logger.warn(fields, 'the watch failed; trying again');
    }
    onError?.(error);
  }
}

/** Whether the server sent invalid data; it would send it again. */
function isGarbled(error: Error): boolean {
  return error instanceof NetworkError && (error.code === 'BAD_RESPONSE' || error.code === 'TOO_LARGE');
}
