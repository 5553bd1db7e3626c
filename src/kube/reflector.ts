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
import type { UnreadEvent } from './unread-event';

/** A list of which so many attempts lost their continue token is read in one piece. */
const PAGED_ATTEMPTS = 2;

/** Seconds after which the server is asked to end a watch; random between the two, so that not all end together. */
const WATCH_SECONDS = { min: 240, max: 480 };

/** A watch that the server ends sooner, in milliseconds, was not worth the name. */
const SHORT_WATCH = 1_000;

/** So many watches in a row that fail without having told anything are not resumed any more: what they fail at may be the place. */
const MAX_FRUITLESS = 3;

/**
 * After so many times `idleTimeout` without any news a watch that fails is not resumed any more. On a server without bookmarks a quiet watch fails by
 * that time-out again and again; a list then is the news by which all is well.
 */
const MAX_IDLE_TIMES = 2;

/** What a reflector needs of the client. */
export type ListWatcher = Pick<KubeClient, 'openPage' | 'watch'>;

/** Settings of a reflector: what to follow, and where to put it. */
export interface ReflectorOptions<T extends KubeObject, P extends KubeObject> {
  readonly client: ListWatcher;
  readonly resource: Resource<T>;
  /** Kept equal to the server's state. Reflectors of different namespaces may share one. */
  readonly store: Store<P>;
  /**
   * Cuts an object on arrival down to what is needed; the memory that the operator takes depends on it. It must keep name,
   * namespace, uid and resource version. An object for which it throws is reported and left out.
   * @default - objects are kept as they are
   */
  readonly project?: (object: T) => P;
  /** @default - all namespaces */
  readonly namespace?: string;
  /** @default - all objects */
  readonly labelSelector?: string;
  /** @default - all objects */
  readonly fieldSelector?: string;
  /**
   * The most objects a page when listing: of pods each has some 5 kB, of which nothing is kept.
   * What is read at a time leaves holes of its size in the memory of the process.
   * @default 100
   */
  readonly pageSize?: number;
  /** What lists wait for, together with those of others: many pages at once would take much memory. @default - nothing */
  readonly lists?: FairSemaphore;
  /** Milliseconds without a byte after which a watch counts as dead; bookmarks come about every minute. @default 120000 */
  readonly idleTimeout?: number;
  /** Milliseconds to wait after a first failure. @default 800 */
  readonly minBackoff?: number;
  /** Milliseconds to wait after many failures. A watch that held for longer starts the count anew. @default 30000 */
  readonly maxBackoff?: number;
  readonly logger: Logger;
  /** Told of every failure, after which the reflector goes on by itself. Must not throw. @default - nobody is told */
  readonly onError?: (error: Error) => void;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** How a reflector is. */
export interface ReflectorHealth {
  /** Whether the store has had the server's whole state once. */
  readonly synced: boolean;
  /**
   * Milliseconds since the server last told how the collection is: by a list, an event, a bookmark, or the end of a watch in its time. That a watch is open
   * is no news: it may be stuck. While all is well there is news about every minute; from a server without bookmarks every four minutes at least.
   */
  readonly silentFor: number;
  /** Failures in a row, until a watch has held for a while. */
  readonly failures: number;
  /** The last of them. */
  readonly lastError?: Error;
}

/**
 * Keeps a store equal to a collection on the server: lists it, then follows its changes, and never gives up.
 *
 * A broken watch is resumed where it broke. Only when the server no longer has the changes since then, has said something
 * that makes no sense, or has reported an error in the stream, or when watches from there fail again and again, the collection is listed again; the store then
 * tells its listeners of the differences.
 */
export class Reflector<T extends KubeObject, P extends KubeObject = T> {
  /** Resolves to `true` when the store has had the server's whole state once, to `false` when the reflector was stopped before. */
  readonly hasSynced: Promise<boolean>;
  private readonly options;
  private readonly stopping = new AbortController();
  private resolveSynced!: (synced: boolean) => void;
  private running?: Promise<void>;
  private synced = false;
  private lastEvent: number;
  private watchingSince = Infinity;
  /** Whether the server has begun to answer the watch. */
  private isOpen = false;
  /** Watches in a row that failed without having told anything. */
  private fruitless = 0;
  private failures = 0;
  private lastError?: Error;
  /** Where to resume; `undefined` if the collection must be listed. */
  private resourceVersion?: string;

  constructor(options: ReflectorOptions<T, P>) {
    this.options = withDefaults(options, {
      project: (object: T) => object as KubeObject as P,
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

  /** Begins; a second call does nothing. */
  start(): void {
    this.running ??= this.run();
  }

  /** Ends for good; nothing is written to the store once this has resolved. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the reflector is stopping'));
    await this.running;
    this.resolveSynced(false);
  }

  /** How it is, for the probes. */
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
      this.fruitless++;
      if (!this.canResume(error)) this.resourceVersion = undefined;
      error ??= new Error(`the server ended the watch after ${Math.round(lasted)} ms`);
      this.report(error);
      // An expired resource version is a matter of course, unless it happens again and again.
      const pause = isGone(error) && this.failures === 0 ? 0 : backoff(this.failures, minBackoff, maxBackoff, random);
      // All who were turned away were given the same time; they should not come back together.
      const asked = (error instanceof ApiError ? error.retryAfter ?? 0 : 0) * 1_000 * (1 + random() / 2);
      const wait = Math.max(pause, Math.min(asked, maxBackoff));
      this.failures++;
      await sleep(clock, wait, signal).catch(() => {});
    }
  }

  private async list(): Promise<void> {
    const { store, namespace, lists, resource } = this.options;
    const { signal } = this.stopping;
    const leave = await lists?.enter(resource.plural, signal);
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
    // Should a page fail, nobody is interested in the next one any more, which may be under way.
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
          // It is awaited when this page has been read.
          next.catch(() => {});
          // The server makes it meanwhile: it must be asked for before this one is read.
          await turn();
        }
        for (const item of items) {
          const object = this.project(item);
          if (object) objects.push(object);
        }
        this.markFresh();
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
      isKnown: (event) => this.isEcho(event),
      signal: this.stopping.signal,
    }, (event) => this.onEvent(event));
  }

  /** Whether an event tells of a write of our own that the store has already. */
  private isEcho(event: UnreadEvent): boolean {
    const { store, namespace } = this.options;
    if (!store.applyEcho(event, namespace)) return false;
    this.resumeAt(event.resourceVersion);
    this.markFresh();
    return true;
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
    } else {
      const object = this.project(event.object);
      if (object) store.apply(event.type, object, namespace);
    }
    this.resumeAt(resourceVersion);
    this.markFresh();
  }

  private resumeAt(resourceVersion: string | undefined): void {
    const order = compareResourceVersions(resourceVersion, this.resourceVersion);
    if (order === undefined || order > 0) this.resourceVersion = resourceVersion;
  }

  private project(object: T): P | undefined {
    try {
      return this.options.project(object);
    } catch (error) {
      this.report(toError(error));
      return undefined;
    }
  }

  private onActivity(): void {
    const { clock, maxBackoff } = this.options;
    this.isOpen = true;
    if (clock.monotonic() - this.watchingSince >= maxBackoff) this.failures = 0;
  }

  private markFresh(): void {
    this.lastEvent = this.options.clock.monotonic();
    this.fruitless = 0;
  }

  private get silentFor(): number {
    return this.options.clock.monotonic() - this.lastEvent;
  }

  /**
   * Whether to go on where the watch broke; otherwise the collection must be listed.
   *
   * @param error why it broke; `undefined` if the server ended it at once
   */
  private canResume(error: Error | undefined): boolean {
    if (error && (!isTransient(error) || isGarbled(error) || isResourceVersionTooNew(error))) return false;
    // A server that has no time for a watch has none for a list.
    if (error instanceof ApiError && error.status === 429) return true;
    if (this.silentFor >= MAX_IDLE_TIMES * this.options.idleTimeout) return false;
    // An error in the stream would come again at the same place. A server that cannot be reached says nothing about it.
    if (error instanceof ApiError && this.isOpen) return false;
    return (error instanceof NetworkError && !this.isOpen) || this.fruitless < MAX_FRUITLESS;
  }

  private report(error: Error): void {
    const { logger, resource, namespace, onError } = this.options;
    this.lastError = error;
    const fields = { err: error, resource: resource.plural, namespace, failures: this.failures };
    if (isTransient(error) || isGone(error)) {
      logger.info(fields, 'lost the watch; it will be taken up again');
    } else {
      logger.warn(fields, 'the watch failed; it will be tried again');
    }
    onError?.(error);
  }
}

/** Whether the server has sent what nothing can be made of; it would be sent again. */
function isGarbled(error: Error): boolean {
  return error instanceof NetworkError && (error.code === 'BAD_RESPONSE' || error.code === 'TOO_LARGE');
}
