import { backoff } from './backoff';
import type { KubeClient, WatchEvent } from './client';
import { type Clock, type Random, sleep, systemClock } from './clock';
import { withDefaults } from './defaults';
import { ApiError, isGone, isResourceVersionTooNew, isTransient, NetworkError, toError } from './errors';
import type { Logger } from './logger';
import { compareResourceVersions, type KubeObject } from './objects';
import type { Resource } from './resource';
import type { Store } from './store';
import type { UnreadEvent } from './unread-event';

/** A list of which so many attempts lost their continue token is read in one piece. */
const PAGED_ATTEMPTS = 2;

/** Seconds after which the server is asked to end a watch; random between the two, so that not all end together. */
const WATCH_SECONDS = { min: 240, max: 480 };

/** A watch that the server ends sooner, in milliseconds, was not worth the name. */
const SHORT_WATCH = 1_000;

/** What a reflector needs of the client. */
export type ListWatcher = Pick<KubeClient, 'listPage' | 'watch'>;

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
  /** Objects a page when listing. @default 500 */
  readonly pageSize?: number;
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
  /** Milliseconds since the server was last heard; while all is well it is heard about every minute. */
  readonly silentFor: number;
  /** Failures in a row, until a watch has held for a while. */
  readonly failures: number;
  /** The last of them. */
  readonly lastError?: Error;
}

/**
 * Keeps a store equal to a collection on the server: lists it, then follows its changes, and never gives up.
 *
 * A broken watch is resumed where it broke. Only when the server no longer has the changes since then, or has said something
 * that makes no sense, the collection is listed again; the store then tells its listeners of the differences.
 */
export class Reflector<T extends KubeObject, P extends KubeObject = T> {
  /** Resolves to `true` when the store has had the server's whole state once, to `false` when the reflector was stopped before. */
  readonly hasSynced: Promise<boolean>;
  private readonly options;
  private readonly stopping = new AbortController();
  private resolveSynced!: (synced: boolean) => void;
  private running?: Promise<void>;
  private synced = false;
  private lastContact: number;
  private watchingSince = Infinity;
  private failures = 0;
  private lastError?: Error;
  /** Where to resume; `undefined` if the collection must be listed. */
  private resourceVersion?: string;

  constructor(options: ReflectorOptions<T, P>) {
    this.options = withDefaults(options, {
      project: (object: T) => object as KubeObject as P,
      pageSize: 500,
      idleTimeout: 120_000,
      minBackoff: 800,
      maxBackoff: 30_000,
      clock: systemClock,
      random: Math.random,
    });
    this.lastContact = this.options.clock.monotonic();
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
    const { synced, failures, lastError } = this;
    return { synced, silentFor: this.options.clock.monotonic() - this.lastContact, failures, lastError };
  }

  private async run(): Promise<void> {
    const { clock, random, minBackoff, maxBackoff } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let error: Error | undefined;
      try {
        if (this.resourceVersion === undefined) await this.list();
        this.watchingSince = clock.monotonic();
        await this.watch();
      } catch (thrown) {
        error = toError(thrown);
      }
      if (signal.aborted) return;

      const lasted = clock.monotonic() - this.watchingSince;
      const wasHeard = this.lastContact >= this.watchingSince;
      this.watchingSince = Infinity;
      if (wasHeard && lasted >= maxBackoff) this.failures = 0;
      if (!error) {
        if (lasted >= SHORT_WATCH) continue;
        error = new Error(`the server ended the watch after ${Math.round(lasted)} ms`);
      } else if (!canResume(error)) {
        this.resourceVersion = undefined;
      }
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
    const { store, namespace } = this.options;
    const knownBefore = store.knownResourceVersion(namespace);
    const { objects, resourceVersion } = await this.readCollection();
    this.stopping.signal.throwIfAborted();
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
    const { client, resource, namespace, labelSelector, fieldSelector } = this.options;
    const objects: P[] = [];
    let token: string | undefined;
    do {
      const page = await client.listPage(resource, {
        namespace, labelSelector, fieldSelector, limit, continue: token, signal: this.stopping.signal,
      });
      this.heard();
      for (const item of page.items) {
        const object = this.project(item);
        if (object) objects.push(object);
      }
      token = page.metadata.continue;
      if (!token) return { objects, resourceVersion: page.metadata.resourceVersion };
    } while (true);
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
      onActivity: () => this.heard(),
      isKnown: (event) => this.isEcho(event),
      signal: this.stopping.signal,
    }, (event) => this.onEvent(event));
  }

  /** Whether an event tells of a write of our own that the store has already. */
  private isEcho(event: UnreadEvent): boolean {
    const { store, namespace } = this.options;
    if (!store.applyEcho(event, namespace)) return false;
    this.resumeAt(event.resourceVersion);
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

  private heard(): void {
    this.lastContact = this.options.clock.monotonic();
    if (this.lastContact - this.watchingSince >= this.options.maxBackoff) this.failures = 0;
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

/** Whether the changes since the break can still be had; otherwise the collection must be listed. */
function canResume(error: Error): boolean {
  if (error instanceof NetworkError) return error.code !== 'BAD_RESPONSE' && error.code !== 'TOO_LARGE';
  return isTransient(error) && !isResourceVersionTooNew(error);
}
