import type { Clock, Timer } from '../kube/clock';
import { isForbidden, isNotFound } from '../kube/errors';
import type { Logger } from '../kube/logger';
import type { KubeObject } from '../kube/objects';
import { type ListWatcher, Reflector } from '../kube/reflector';
import type { Resource } from '../kube/resource';
import type { Store } from '../kube/store';
import type { FairSemaphore } from '../kube/fair-semaphore';

/** The name of all namespaces together, in place of a namespace. */
export const ALL_NAMESPACES = '*';

/** A kind of watched objects. */
export interface Watched<T extends KubeObject = any, V extends KubeObject = any> {
  readonly resource: Resource<T>;
  readonly store: Store<V>;
  /** Returns the kept part of an object. */
  readonly transform: (object: T) => V;
  /** @default - all objects */
  readonly labelSelector?: string;
}

/** Dependencies of the watches. */
export interface WatchesOptions {
  readonly client: ListWatcher;
  readonly watched: readonly Watched[];
  /**
   * Namespaces. One watch of each kind for all namespaces is cheaper than one for each namespace.
   */
  readonly namespaces: readonly string[] | 'all';
  readonly logger: Logger;
  readonly clock: Clock;
  /** Milliseconds after which a warning lists namespaces that are not synced. */
  readonly syncTimeout: number;
  /** Limits the lists of all kinds together. @default - no limit */
  readonly lists?: FairSemaphore;
  /** Called once for each namespace, or once for all, when its caches are synced. */
  readonly onSynced: (namespace: string) => void;
}

/** Health of the watches of a namespace. */
export interface NamespaceHealth {
  /** Its name, or `*` for all together. */
  readonly namespace: string;
  /** Whether its caches have been filled. */
  readonly synced: boolean;
  /**
   * Milliseconds since the last contact with the API server; at most about a minute with a working
   * watch.
   */
  readonly silentFor: number;
  /** The last problem, if nothing has succeeded since. */
  readonly problem?: string;
  /**
   * Whether the API server denies access: the namespace is gone, or the operator has no
   * permissions.
   */
  readonly refused?: boolean;
  /** Whether nothing works without it, as more than a namespace depends on it. */
  readonly isRequired?: boolean;
}

/**
 * Fills the stores from the API server, each namespace by itself. So a namespace that is gone, or
 * for which the operator has no permissions, does not delay the others.
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

  /** Starts the watches. They continue until `stop`, whatever happens to the API server. */
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

  /**
   * Whether decisions about a namespace are possible. With only half of its pods in the cache, the
   * operator would have to read each of the others.
   */
  isSynced(namespace: string): boolean {
    return this.synced.has(namespace) || this.synced.has(ALL_NAMESPACES);
  }

  /** Returns the health of each namespace. */
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
      if (!synced) {
        this.options.logger.warn(
          { namespace, problem }, `the namespace could not be read so far, its ${this.options.watched[0]!.resource.plural} wait; trying on`,
        );
      }
    }
  }
}
