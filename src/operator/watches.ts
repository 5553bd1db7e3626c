import type { Clock, Timer } from '../kube/clock';
import { isForbidden, isNotFound } from '../kube/errors';
import type { Logger } from '../kube/logger';
import type { KubeObject } from '../kube/objects';
import { type ListWatcher, Reflector } from '../kube/reflector';
import type { Resource } from '../kube/resource';
import type { Store } from '../kube/store';
import type { FairSemaphore } from '../kube/fair-semaphore';

/** How all namespaces together are called, where one is named otherwise. */
export const ALL_NAMESPACES = '*';

/** One sort of objects that is followed. */
export interface Watched<T extends KubeObject = any, V extends KubeObject = any> {
  readonly resource: Resource<T>;
  readonly store: Store<V>;
  /** What is kept of each. */
  readonly transform: (object: T) => V;
  /** @default - all are followed */
  readonly labelSelector?: string;
}

/** What the watches work with. */
export interface WatchesOptions {
  readonly client: ListWatcher;
  readonly watched: readonly Watched[];
  /** All of them by one watch for each kind, which is cheaper than one for each namespace. */
  readonly namespaces: readonly string[] | 'all';
  readonly logger: Logger;
  readonly clock: Clock;
  /** After how many milliseconds a warning tells what has not been seen yet. */
  readonly syncTimeout: number;
  /** What lists wait for, with those of other kinds. @default - nothing */
  readonly lists?: FairSemaphore;
  /** Told once for each namespace, or once for all, when all that is in it has been seen. */
  readonly onSynced: (namespace: string) => void;
}

/** Whether a namespace is being watched. */
export interface NamespaceHealth {
  /** Its name, or `*` for all together. */
  readonly namespace: string;
  /** Whether all that was in it has been seen. */
  readonly synced: boolean;
  /** Milliseconds since the API server was last heard of it; with a watch that works about a minute at most. */
  readonly silentFor: number;
  /** What went wrong the last time, if nothing has gone right since. */
  readonly problem?: string;
  /** Whether the API server refuses to let us see it: it is gone, or we have no rights in it. */
  readonly refused?: boolean;
  /** Whether nothing can be done without it: it stands for more than a namespace. */
  readonly isRequired?: boolean;
}

/**
 * Fills the stores from the API server, each namespace by itself: one that is gone, or that we have no rights in, does not keep the
 * others waiting.
 */
export class Watches {
  private readonly options: WatchesOptions;
  private readonly reflectors: ReadonlyMap<string, readonly Pick<Reflector<any, any>, 'start' | 'stop' | 'hasSynced' | 'health'>[]>;
  private readonly synced = new Set<string>();
  private timer: Timer;

  constructor(options: WatchesOptions) {
    this.options = options;
    const { client, watched, lists, logger, clock } = options;
    const names = options.namespaces === 'all' ? [ALL_NAMESPACES] : options.namespaces;
    this.reflectors = new Map(names.map((name) => {
      const namespace = name === ALL_NAMESPACES ? undefined : name;
      return [name, watched.map((each) => new Reflector({ ...each, client, namespace, listSemaphore: lists, logger, clock }))];
    }));
  }

  /** Begins to watch. Goes on until `stop`, whatever happens to the API server. */
  start(): void {
    const { clock, syncTimeout } = this.options;
    for (const [namespace, reflectors] of this.reflectors) {
      for (const reflector of reflectors) reflector.start();
      void Promise.all(reflectors.map((reflector) => reflector.hasSynced)).then((synced) => {
        if (!synced.every(Boolean)) return;
        this.synced.add(namespace);
        this.options.onSynced(namespace);
      });
    }
    this.timer = clock.setTimeout(() => this.reportMissing(), syncTimeout);
  }

  /** Resolves when all watches have ended. */
  async stop(): Promise<void> {
    this.options.clock.clearTimeout(this.timer);
    await Promise.all([...this.reflectors.values()].flat().map((reflector) => reflector.stop()));
  }

  /** Whether decisions can be made in a namespace: with half of its pods unseen each of the others would be asked for. */
  isSynced(namespace: string): boolean {
    return this.synced.has(namespace) || this.synced.has(ALL_NAMESPACES);
  }

  /** How each namespace is. */
  health(): NamespaceHealth[] {
    return [...this.reflectors].map(([namespace, reflectors]) => {
      const healths = reflectors.map((reflector) => reflector.health());
      const error = healths.find(({ failures, lastError }) => failures > 0 && lastError)?.lastError;
      return {
        namespace,
        synced: this.synced.has(namespace),
        silentFor: Math.max(...healths.map(({ silentFor }) => silentFor)),
        problem: error?.message,
        refused: isForbidden(error) || isNotFound(error),
        ...(namespace === ALL_NAMESPACES && { isRequired: true }),
      };
    });
  }

  private reportMissing(): void {
    for (const { namespace, synced, problem } of this.health()) {
      if (!synced) this.options.logger.warn({ namespace, problem }, `the namespace could not be read so far, its ${this.options.watched[0]!.resource.plural} wait; trying on`);
    }
  }
}
