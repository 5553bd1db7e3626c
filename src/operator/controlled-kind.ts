import { isForReconciler } from './at-work';
import type { Clock } from './kube/clock';
import { Controller, type Reconcile } from './kube/controller';
import { NotLeaderError } from './kube/leader-election';
import type { Logger } from './kube/logger';
import type { ListWatcher } from './kube/reflector';
import type { Store } from './kube/store';
import { WorkQueue } from './kube/work-queue';
import type { Metrics } from './metrics/registry';
import { Watches, type NamespaceHealth, type Watched } from './watches';
import { Work, type Waker } from './work';

/** What all kinds are given: how the operator is set up, and what it has only once. */
export interface KindSurroundings {
  readonly client: ListWatcher;
  readonly namespaces: readonly string[] | 'all';
  /** Whether the objects of a namespace are worked on, if they have been seen. */
  readonly isSelected: (namespace: string) => boolean;
  readonly syncTimeout: number;
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
  /** Ends what goes on beside the controller, after it. @default - there is nothing */
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
  /** Whether a key goes before others that wait. @default - all come in their order */
  readonly isUrgent?: (key: string) => boolean;
  /** Makes what a term needs. `wake` adds a key to the queue. */
  readonly startWork: (wake: (key: string) => void) => KindWork;
}

/** One kind that the operator works on: what of it is followed, always, and the work on it, while this process leads. */
export class ControlledKind {
  public readonly name: string;
  private readonly watches: Watches;
  private readonly objects: Store<any>;
  private readonly onSynced: ((namespace: string) => void)[] = [];
  /** There while this process leads. */
  private work?: Work;

  constructor(private readonly options: ControlledKindOptions, private readonly surroundings: KindSurroundings) {
    const { name, watched, after = [] } = options;
    this.name = name;
    surroundings.metrics.addController(name);
    this.objects = watched[0].store;
    this.watches = new Watches({ ...surroundings, watched, onSynced: (namespace) => this.onSynced.forEach((tell) => tell(namespace)) });
    for (const kind of [this, ...after]) kind.onSynced.push((namespace) => this.beginIfSeen(namespace));
  }

  /** How many objects wait to be looked at. */
  get depth(): number {
    return this.work?.depth ?? 0;
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

  /** This process leads: begins to work. */
  beginTerm(): void {
    const { name, isUrgent, startWork } = this.options;
    const { clock, logger, metrics, maxRetryDelay, workers, isSelected } = this.surroundings;
    const queue = new WorkQueue({ clock, maxBackoff: maxRetryDelay, isUrgent, hooks: { onStart: (seconds) => metrics.onQueueWait(name, seconds) } });
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
    this.work = new Work({ name, objects: this.objects, isSelected, logger }, { queue, controller, wakers, end });
    for (const { namespace, synced } of this.health()) if (synced && this.isSynced(namespace)) this.work.begin(namespace);
  }

  /** This process does not lead any more, because it ends: what is under way has some milliseconds to end by itself. */
  async endTerm(grace: number): Promise<void> {
    await this.takeWork()?.stop(grace);
  }

  /** The same because another process may lead by now: ends at once. */
  async abandonTerm(): Promise<void> {
    await this.takeWork()?.abandon();
  }

  /** Looks at all objects of a namespace, or of all. */
  lookAt(namespace: string): void {
    this.work?.lookAt(namespace);
  }

  private takeWork(): Work | undefined {
    const { work } = this;
    this.work = undefined;
    return work;
  }

  private beginIfSeen(namespace: string): void {
    if (!this.isSynced(namespace)) return;
    if (this.work) this.work.begin(namespace);
    else this.surroundings.logger.info({ namespace, controller: this.name }, 'caches are filled, standing by');
  }
}

/** A process that does not lead any more leaves what is to be done to the next leader. */
function nothingUnlessLeading(error: unknown): undefined {
  if (!(error instanceof NotLeaderError)) throw error;
}
