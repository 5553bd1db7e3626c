import type { Controller } from './kube/controller';
import type { Logger } from './kube/logger';
import { keyOf, parseKey } from './kube/objects';
import type { Store } from './kube/store';
import type { WorkQueue } from './kube/work-queue';
import type { SparkApplication } from './spark-application/model';
import { applicationKeyOf } from './spark-application/observe';
import type { PodView } from './spark-application/pod-view';
import type { SparkSubmitter } from './spark-application/spark-submitter';
import { ALL_NAMESPACES } from './spark-application/watches';

/** What a leader has at work. */
export interface WorkParts {
  readonly applications: Store<SparkApplication>;
  readonly pods: Store<PodView>;
  readonly queue: WorkQueue;
  readonly controller: Controller;
  readonly submitter: SparkSubmitter | undefined;
  /** Whether the applications of a namespace are run. */
  readonly isSelected: (namespace: string) => boolean;
  readonly logger: Logger;
}

/** The work of a leader in one term. Its parts are made anew for each, so that nothing of an earlier one is left over. */
export class Work {
  private readonly unsubscribe: readonly (() => void)[];

  /** Begins. */
  constructor(private readonly parts: WorkParts) {
    const { applications, pods, queue, controller } = parts;
    this.unsubscribe = [
      applications.subscribe(({ object }) => queue.add(keyOf(object.metadata))),
      pods.subscribe(({ object }) => {
        const key = applicationKeyOf(object);
        if (key) queue.add(key);
      }),
    ];
    controller.start();
  }

  /** How many applications wait. */
  get depth(): number {
    return this.parts.queue.depth;
  }

  /** All of a namespace, or of all, has been seen: looks at its applications. */
  begin(namespace: string): void {
    this.parts.logger.info({ namespace, applications: this.lookAt(namespace) }, 'caches are filled, at work');
  }

  /** Looks at the applications of a namespace. @returns how many there are */
  lookAt(namespace: string): number {
    const { applications, queue, isSelected } = this.parts;
    const keys = applications.list().map(({ metadata }) => keyOf(metadata)).filter((key) => {
      const own = parseKey(key).namespace!;
      return (namespace === ALL_NAMESPACES || namespace === own) && isSelected(own);
    });
    for (const key of keys) queue.add(key);
    return keys.length;
  }

  /** Ends the work: nothing is begun any more, and what is under way has some milliseconds to end by itself. */
  async stop(grace: number): Promise<void> {
    this.unsubscribe.forEach((end) => end());
    await this.parts.controller.stop(grace);
    await this.parts.submitter?.stop();
  }

  /** Ends the work at once, because another process may be at it. Resolves when nothing is under way any more. */
  async abandon(): Promise<void> {
    this.unsubscribe.forEach((end) => end());
    const { controller, queue, submitter } = this.parts;
    await Promise.all([controller.stop(0).then(() => queue.drained()), submitter?.stop()]);
  }
}
