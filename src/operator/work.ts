import type { Controller } from '../kube/controller';
import type { Logger } from '../kube/logger';
import { keyOf, parseKey, type KubeObject } from '../kube/objects';
import type { Store } from '../kube/store';
import type { WorkQueue } from '../kube/work-queue';
import { ALL_NAMESPACES } from './watches';

/** Something that wakes objects besides their own changes. It is given what adds a key to the queue, and returns what ends it. */
export type Waker = (add: (key: string) => void) => () => void;

/** What the work on one kind is made of. */
export interface WorkParts {
  readonly queue: WorkQueue;
  readonly controller: Controller;
  /** @default - only changes of the objects themselves wake them */
  readonly wakers?: readonly Waker[];
  /** Ends what goes on beside the controller, after it; may be called again. @default - there is nothing */
  readonly end?: () => Promise<void>;
}

/** What work is about. */
export interface WorkSubject {
  /** The objects of the kind. */
  readonly objects: Store<any>;
  /** What their controller is called in the log. */
  readonly name: string;
  /** Whether the objects of a namespace are worked on. */
  readonly isSelected: (namespace: string) => boolean;
  readonly logger: Logger;
}

/** The work on one kind in one term. Its parts are made anew for each, so that nothing of an earlier one is left over. */
export class Work {
  private readonly endWaking: readonly (() => void)[];

  /** Begins. */
  constructor(private readonly subject: WorkSubject, private readonly parts: WorkParts) {
    const { queue, controller, wakers = [] } = parts;
    const add = (key: string) => {
      queue.add(key);
    };
    this.endWaking = [
      subject.objects.subscribe(({ object }: { readonly object: KubeObject }) => add(keyOf(object.metadata))),
      ...wakers.map((waker) => waker(add)),
    ];
    controller.start();
  }

  /** How many objects wait. */
  get depth(): number {
    return this.parts.queue.depth;
  }

  /** All of a namespace, or of all, has been seen: looks at its objects. */
  begin(namespace: string): void {
    const { logger, name: controller } = this.subject;
    logger.info({ controller, namespace, objects: this.enqueueAll(namespace) }, 'caches are filled, at work');
  }

  /** Looks at the objects of a namespace. @returns how many there are */
  enqueueAll(namespace: string): number {
    const { objects, isSelected } = this.subject;
    const keys = objects.list().map(({ metadata }: KubeObject) => keyOf(metadata)).filter((key: string) => {
      const own = parseKey(key).namespace!;
      return (namespace === ALL_NAMESPACES || namespace === own) && isSelected(own);
    });
    for (const key of keys) this.parts.queue.add(key);
    return keys.length;
  }

  /**
   * Ends the work: nothing is begun any more, and what is under way has some milliseconds to end by itself.
   *
   * @returns whether it has. If not, it is told to end, and is to be abandoned
   */
  async stop(grace: number): Promise<boolean> {
    this.endWaking.forEach((end) => end());
    const inTime = await this.parts.controller.stop(grace);
    if (inTime) await this.parts.end?.();
    return inTime;
  }

  /** Ends the work at once, because another process may be at it; also while it is being ended otherwise. Resolves when nothing is under way any more. */
  async abandon(): Promise<void> {
    this.endWaking.forEach((end) => end());
    const { controller, queue, end } = this.parts;
    await Promise.all([controller.stop(0).then(() => queue.drained()), end?.()]);
  }
}
