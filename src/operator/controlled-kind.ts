import { isForReconciler } from './at-work';
import type { KubeClient } from '../kube/client';
import type { Clock } from '../kube/clock';
import { Controller, type Reconcile } from '../kube/controller';
import { NotLeaderError } from '../kube/leader-election';
import type { Logger } from '../kube/logger';
import type { Store } from '../kube/store';
import type { Term } from './leadership';
import { WorkQueue } from '../kube/work-queue';
import type { Metrics } from './metrics/registry';
import type { FairSemaphore } from '../kube/fair-semaphore';
import { Watches, type NamespaceHealth, type Watched } from './watches';
import { Work, type Waker } from './work';

/** What all kinds are given: how the operator is set up, and what it has only once. */
export interface KindDependencies {
  /** Writes only while this process leads. */
  readonly client: KubeClient;
  readonly namespaces: readonly string[] | 'all';
  /** Whether the objects of a namespace are worked on, if they have been seen. */
  readonly isSelected: (namespace: string) => boolean;
  readonly syncTimeout: number;
  /** What lists wait for, those of all kinds together. @default - nothing */
  readonly lists?: FairSemaphore;
  /** Objects that are worked on at the same time, in all terms together. */
  readonly workers: number;
  readonly maxRetryDelay: number;
  readonly metrics: Pick<Metrics, 'addController' | 'onReconcile' | 'onQueueWait'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** How the objects of a kind are brought forward, in one term of a leader. */
export interface KindWork {
  readonly reconcile: Reconcile;
  /** @default - only changes of the objects themselves wake them */
  readonly wakers?: readonly Waker[];
  /** Ends what goes on beside the controller, after it; may be called again. @default - there is nothing */
  readonly end?: () => Promise<void>;
}

/** A kind. */
export interface ControlledKindOptions {
  /** What its controller is called in log and metrics, such as `spark-application`. */
  readonly name: string;
  /** Its objects first, then what else is followed for it alone. */
  readonly watched: readonly [Watched, ...Watched[]];
  /** Kinds of which all has to be seen before, too. @default - none */
  readonly after?: readonly ControlledKind[];
  /** Whether a key precedes others that wait. @default - no key is urgent */
  readonly isUrgent?: (key: string) => boolean;
  /** Returns the work of a term, anew for each. `enqueue` adds a key to the queue. */
  readonly startWork: (enqueue: (key: string) => void) => KindWork;
}

/** One kind that the operator works on: what of it is followed, always, and the work on it, in the terms of this process. */
export class ControlledKind {
  public readonly name: string;
  private readonly watches: Watches;
  private readonly objects: Store<any>;
  private readonly onSynced: ((namespace: string) => void)[] = [];
  /** By the terms that have begun and not been told to end. */
  private readonly works = new Map<Term, Work>();
  /** By those that have. */
  private readonly ending = new Map<Term, Work>();

  constructor(private readonly options: ControlledKindOptions, private readonly dependencies: KindDependencies) {
    const { name, watched, after = [] } = options;
    this.name = name;
    dependencies.metrics.addController(name);
    this.objects = watched[0].store;
    this.watches = new Watches({ ...dependencies, watched, onSynced: (namespace) => this.onSynced.forEach((tell) => tell(namespace)) });
    for (const kind of [this, ...after]) kind.onSynced.push((namespace) => this.beginIfSeen(namespace));
  }

  /** How many objects wait to be looked at. */
  get depth(): number {
    return [...this.works.values()].reduce((sum, { depth }) => sum + depth, 0);
  }

  /** Begins to follow. */
  start(): void {
    this.watches.start();
  }

  /** Resolves when nothing is followed any more. */
  stop(): Promise<void> {
    return this.watches.stop();
  }

  /** Whether all that decisions depend on has been seen in a namespace. */
  isSynced(namespace: string): boolean {
    return this.watches.isSynced(namespace) && (this.options.after ?? []).every((kind) => kind.isSynced(namespace));
  }

  /** How each namespace is. */
  health(): NamespaceHealth[] {
    return this.watches.health();
  }

  /** Begins to work. */
  beginTerm(term: Term): void {
    const { name, isUrgent, startWork } = this.options;
    const { clock, logger, metrics, maxRetryDelay, workers, isSelected } = this.dependencies;
    const hooks = { onStart: (seconds: number) => metrics.onQueueWait(name, seconds) };
    const queue = new WorkQueue({ clock, maxBackoff: maxRetryDelay, isUrgent, hooks });
    const { reconcile, wakers, end } = startWork((key) => queue.add(key));
    const isAtWork = (namespace: string) => this.isSynced(namespace) && isSelected(namespace);
    const controller = new Controller({
      name,
      queue,
      workers,
      // What comes before a namespace is synced or selected is added again when it is.
      reconcile: async (key, context) => (isForReconciler(key, this.objects, isAtWork) ? reconcile(key, context).catch(nothingUnlessLeading) : undefined),
      onReconcile: (pass) => metrics.onReconcile(name, pass),
      logger,
      clock,
    });
    const work = new Work({ name, objects: this.objects, isSelected, logger }, { queue, controller, wakers, end });
    this.works.set(term, work);
    for (const { namespace, synced } of this.health()) if (synced && this.isSynced(namespace)) work.begin(namespace);
  }

  /**
   * A term ends, and no other process works on the same yet: what is under way has some milliseconds to end by itself.
   *
   * @returns whether it has. If not, the term is to be abandoned
   */
  async endTerm(term: Term, grace: number): Promise<boolean> {
    const work = this.works.get(term);
    this.works.delete(term);
    if (!work) return true;
    this.ending.set(term, work);
    const inTime = await work.stop(grace);
    if (inTime) this.ending.delete(term);
    return inTime;
  }

  /** The same when another process may be at it by now, or what is under way has had its time: ends at once. */
  async abandonTerm(term: Term): Promise<void> {
    const work = this.works.get(term) ?? this.ending.get(term);
    this.works.delete(term);
    await work?.abandon();
    this.ending.delete(term);
  }

  /** Looks at all objects of a namespace, or of all. */
  enqueueAll(namespace: string): void {
    for (const work of this.works.values()) work.enqueueAll(namespace);
  }

  private beginIfSeen(namespace: string): void {
    if (!this.isSynced(namespace)) return;
    for (const work of this.works.values()) work.begin(namespace);
    if (this.works.size === 0) this.dependencies.logger.info({ namespace, controller: this.name }, 'caches are filled, standing by');
  }
}

/** A process that does not lead any more leaves what is to be done to the next leader. */
function nothingUnlessLeading(error: unknown): undefined {
  if (!(error instanceof NotLeaderError)) throw error;
}
