import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { Controller, type Reconcile } from '../../kube/controller';
import type { FairSemaphore } from '../../kube/fair-semaphore';
import { NotLeaderError } from '../../kube/leader-election';
import type { Logger } from '../../kube/logger';
import { keyOf, type KubeObject, parseKey } from '../../kube/objects';
import type { Store } from '../../kube/store';
import { WorkQueue } from '../../kube/work-queue';
import type { ControllerCounter, ControllerLoad, ControllerMetrics } from '../metrics/controllers';
import { ALL_NAMESPACES, type NamespaceHealth, type Watched, Watches } from '../watches';

/** Dependencies that all kinds share. */
export interface RuntimeDependencies {
  /** Writes only while this process leads. */
  readonly client: KubeClient;
  readonly namespaces: readonly string[] | 'all';
  /** Whether the objects of a namespace are reconciled, once they are in the caches. */
  readonly isSelected: (namespace: string) => boolean;
  /** Milliseconds until the log warns about namespaces that are not synced. */
  readonly syncTimeout: number;
  /** Limits the lists of all kinds together. @default - no limit */
  readonly lists?: FairSemaphore;
  /** Concurrent reconciles. */
  readonly workers: number;
  /** In milliseconds. */
  readonly maxRetryDelay: number;
  readonly metrics: Pick<ControllerMetrics, 'add'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Enqueues objects for other reasons than their own changes. Returns a function that stops it. */
export type Waker = (enqueue: (key: string) => void) => () => void;

/** Reconciles of a kind in one term of a leader. */
export interface KindWork {
  readonly reconcile: Reconcile;
  /** @default - only changes of the objects themselves enqueue them */
  readonly wakers?: readonly Waker[];
  /** Ends other work after the controller; idempotent. @default - no such work */
  readonly end?: () => Promise<void>;
}

/** Definition of a kind. */
export interface KindDefinition {
  /** Name of its controller in the log and the metrics, such as `spark-application`. */
  readonly name: string;
  /** The objects of the kind first, then other objects that are watched only for it. */
  readonly watched: readonly [Watched, ...Watched[]];
  /** Kinds whose caches must be filled before, too. @default - none */
  readonly after?: readonly KindController[];
  /** Whether a key precedes other waiting keys. @default - no key is urgent */
  readonly isUrgent?: (key: string) => boolean;
  /** Returns the work of a term, anew for each, so that nothing of an earlier term remains. */
  readonly startWork: (enqueue: (key: string) => void) => KindWork;
}

/** The parts of a term. */
interface Term {
  readonly queue: WorkQueue;
  readonly controller: Controller;
  readonly stopWaking: () => void;
  readonly end?: () => Promise<void>;
  isEnding: boolean;
}

/**
 * Watches the objects of a kind all the time, and reconciles them while this process leads. There
 * is at most one term at a time.
 */
export class KindController {
  public readonly name: string;
  private readonly watches: Watches;
  private readonly objects: Store<any>;
  private readonly onSynced: ((namespace: string) => void)[] = [];
  private readonly counter: ControllerCounter;
  private term?: Term;

  constructor(private readonly definition: KindDefinition, private readonly dependencies: RuntimeDependencies) {
    const { name, watched, after = [] } = definition;
    this.name = name;
    this.counter = dependencies.metrics.add(name);
    this.objects = watched[0].store;
    this.watches = new Watches({
      ...dependencies, watched, onSynced: (namespace) => this.onSynced.forEach((listener) => listener(namespace)),
    });
    for (const kind of [this, ...after]) kind.onSynced.push((namespace) => this.beginIfSynced(namespace));
  }

  /** Whether objects are reconciled. */
  get isWorking(): boolean {
    return this.term !== undefined && !this.term.isEnding;
  }

  /** Returns the number of objects that wait for a worker. */
  get depth(): number {
    return this.isWorking ? this.term!.queue.depth : 0;
  }

  /** Returns how busy its workers are, for metrics. */
  load(): ControllerLoad {
    const { name, depth, dependencies: { workers } } = this;
    const { running = 0, unfinished = 0, longestRunning = 0 } = this.term?.queue ?? {};
    return { name, workers, depth, running, unfinishedSeconds: unfinished / 1000, longestSeconds: longestRunning / 1000 };
  }

  /** Starts the watches. */
  start(): void {
    this.watches.start();
  }

  /** Resolves when all watches have ended. */
  stop(): Promise<void> {
    return this.watches.stop();
  }

  /** Whether the caches are sufficient for decisions about a namespace. */
  isSynced(namespace: string): boolean {
    return this.watches.isSynced(namespace) && (this.definition.after ?? []).every((kind) => kind.isSynced(namespace));
  }

  /** Returns the health of the watches of each namespace. */
  health(): NamespaceHealth[] {
    return this.watches.health();
  }

  /** Starts to reconcile. The previous term must have ended. */
  beginTerm(): void {
    const { name, isUrgent, startWork } = this.definition;
    const { clock, logger, maxRetryDelay, workers } = this.dependencies;
    const { hooks, onReconcile } = this.counter;
    const queue = new WorkQueue({ clock, maxBackoff: maxRetryDelay, isUrgent, hooks });
    const enqueue = (key: string) => queue.add(key);
    const { reconcile, wakers = [], end } = startWork(enqueue);
    const controller = new Controller({
      name,
      queue,
      workers,
      reconcile: async (key, context) => (this.isForReconciler(key) ? reconcile(key, context).catch(nothingUnlessLeading) : undefined),
      onReconcile,
      logger,
      clock,
    });
    const endings = [
      this.objects.subscribe(({ object }: { readonly object: KubeObject }) => enqueue(keyOf(object.metadata))),
      ...wakers.map((waker) => waker(enqueue)),
    ];
    this.term = { queue, controller, stopWaking: () => endings.forEach((stop) => stop()), end, isEnding: false };
    controller.start();
    for (const { namespace, synced } of this.health()) if (synced) this.beginIfSynced(namespace);
  }

  /**
   * Ends the term while no other process leads yet. Nothing more is started, and reconciles in
   * progress have some milliseconds to end by themselves.
   *
   * @returns whether they have. If not, they were aborted, and the term must be abandoned
   */
  async endTerm(grace: number): Promise<boolean> {
    const { term } = this;
    if (!term) return true;
    term.isEnding = true;
    term.stopWaking();
    const isInTime = await term.controller.stop(grace);
    if (!isInTime) return false;
    await term.end?.();
    this.forget(term);
    return true;
  }

  /**
   * Ends the term at once, even during `endTerm`: another process might lead. Resolves when nothing
   * is in progress.
   */
  async abandonTerm(): Promise<void> {
    const { term } = this;
    if (!term) return;
    term.isEnding = true;
    term.stopWaking();
    await Promise.all([term.controller.stop(0).then(() => term.queue.drained()), term.end?.()]);
    this.forget(term);
  }

  /** Enqueues all objects of a namespace, or of all. Returns their number. */
  enqueueAll(namespace: string): number {
    if (!this.isWorking) return 0;
    const keys = this.objects.list().map(({ metadata }: KubeObject) => keyOf(metadata)).filter((key: string) => {
      const own = parseKey(key).namespace!;
      return (namespace === ALL_NAMESPACES || namespace === own) && this.dependencies.isSelected(own);
    });
    for (const key of keys) this.term!.queue.add(key);
    return keys.length;
  }

  private beginIfSynced(namespace: string): void {
    if (!this.isSynced(namespace)) return;
    const { logger } = this.dependencies;
    const controller = this.name;
    if (this.isWorking) logger.info({ controller, namespace, objects: this.enqueueAll(namespace) }, 'caches are filled, at work');
    else logger.info({ namespace, controller }, 'caches are filled, standing by');
  }

  /**
   * Whether a key is reconciled now. Objects in namespaces that are not synced or not selected are
   * enqueued again when they are. A deleted one is always reconciled: then it is forgotten.
   */
  private isForReconciler(key: string): boolean {
    const namespace = parseKey(key).namespace!;
    return this.objects.get(key) === undefined || (this.isSynced(namespace) && this.dependencies.isSelected(namespace));
  }

  private forget(term: Term): void {
    if (this.term === term) this.term = undefined;
  }
}

/** Ignores errors of a process that has lost the lead: the next leader does the work. */
function nothingUnlessLeading(error: unknown): undefined {
  if (!(error instanceof NotLeaderError)) throw error;
}
