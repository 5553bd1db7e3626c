import { LABEL_LAUNCHED_BY } from '../../api/labels';
import type { KubeClient } from '../kube/client';
import type { Clock } from '../kube/clock';
import { isForbidden, isNotFound } from '../kube/errors';
import type { Logger } from '../kube/logger';
import { Reflector } from '../kube/reflector';
import type { Store } from '../kube/store';
import { PODS, SPARK_APPLICATIONS } from '../resources';
import { withoutManagedFields, type SparkApplication } from './model';
import { viewOf, type PodView } from './pod-view';

/** What the watches work with. */
export interface WatchesOptions {
  readonly client: KubeClient;
  readonly applications: Store<SparkApplication>;
  readonly pods: Store<PodView>;
  readonly namespaces: readonly string[];
  readonly logger: Logger;
  readonly clock: Clock;
  /** Told once for each namespace, when all that is in it has been seen. */
  readonly onSynced: (namespace: string) => void;
}

/** Whether a namespace is being watched. */
export interface NamespaceHealth {
  readonly namespace: string;
  /** Whether all that was in it has been seen. */
  readonly synced: boolean;
  /** Milliseconds since the API server was last heard of it; with a watch that works about a minute at most. */
  readonly silentFor: number;
  /** What went wrong the last time, if nothing has gone right since. */
  readonly problem?: string;
  /** Whether the API server refuses to let us see it: it is gone, or we have no rights in it. */
  readonly refused?: boolean;
}

/**
 * Fills the stores from the API server, each namespace by itself: one that is gone, or that we have no rights in, does not keep the
 * others waiting.
 */
export class Watches {
  private readonly options: WatchesOptions;
  private readonly reflectors: ReadonlyMap<string, readonly Pick<Reflector<SparkApplication>, 'start' | 'stop' | 'hasSynced' | 'health'>[]>;
  private readonly synced = new Set<string>();

  constructor(options: WatchesOptions) {
    this.options = options;
    const { client, applications, pods, logger, clock } = options;
    this.reflectors = new Map(options.namespaces.map((namespace) => [namespace, [
      new Reflector<SparkApplication>({ client, resource: SPARK_APPLICATIONS, store: applications, project: withoutManagedFields, namespace, logger, clock }),
      new Reflector({ client, resource: PODS, store: pods, project: viewOf, namespace, labelSelector: `${LABEL_LAUNCHED_BY}=true`, logger, clock }),
    ]]));
  }

  /** Begins to watch. Goes on until `stop`, whatever happens to the API server. */
  start(): void {
    for (const [namespace, reflectors] of this.reflectors) {
      for (const reflector of reflectors) reflector.start();
      void Promise.all(reflectors.map((reflector) => reflector.hasSynced)).then((synced) => {
        if (!synced.every(Boolean)) return;
        this.synced.add(namespace);
        this.options.onSynced(namespace);
      });
    }
  }

  /** Resolves when all watches have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.reflectors.values()].flat().map((reflector) => reflector.stop()));
  }

  /** Whether decisions can be made in a namespace: with half of its pods unseen each of the others would be asked for. */
  isSynced(namespace: string): boolean {
    return this.synced.has(namespace);
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
      };
    });
  }
}
