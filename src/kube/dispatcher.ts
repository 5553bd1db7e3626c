/** Urgent keys that are handed out for one of the others. */
const URGENT_TURNS = 3;

/** Share of the workers that keys without urgency can hold while urgent ones wait. */
const OTHERS_SHARE = 1 / 5;

/** A work queue, as its dispatcher sees it. */
export interface DispatchedQueue {
  /** Whether urgent keys are ready. */
  readonly hasUrgent: boolean;
  /** Whether other keys are ready. */
  readonly hasOthers: boolean;
  /** Number of workers that wait for a key. */
  readonly idle: number;
  /** Hands a ready key, urgent or not, to a waiting worker; both must be there. */
  readonly handOut: (isUrgent: boolean) => void;
}

/**
 * Selects the queue that hands out the next key, and bounds the keys of all queues that are
 * processed concurrently. Urgent keys precede the others, which get every fourth turn. While urgent
 * keys wait, the others hold at most a fifth of the workers, but at least one. Queues take turns.
 */
export class Dispatcher {
  /** In the order of their last turns. */
  private readonly queues = new Set<DispatchedQueue>();
  private running = 0;
  /** Those of the running keys that are not urgent. */
  private othersRunning = 0;
  /** Urgent keys that were handed out in a row while others waited. */
  private urgentTurns = 0;

  /** @param most keys that are processed concurrently; more wait in their queues */
  constructor(private readonly most = Infinity) {}

  /** Adds a queue. */
  join(queue: DispatchedQueue): void {
    this.queues.add(queue);
  }

  /** Removes a queue. Its running keys occupy workers until they are done. */
  quit(queue: DispatchedQueue): void {
    this.queues.delete(queue);
  }

  /** Hands out all keys that can be processed. Call it when a key is ready or a worker waits. */
  dispatch(): void {
    for (let next = this.next(); next; next = this.next()) {
      const { queue, isUrgent } = next;
      this.running++;
      if (!isUrgent) this.othersRunning++;
      this.queues.delete(queue);
      this.queues.add(queue);
      queue.handOut(isUrgent);
    }
  }

  /** Frees the worker of a key. */
  done(isUrgent: boolean): void {
    this.running--;
    if (!isUrgent) this.othersRunning--;
    this.dispatch();
  }

  private next(): { readonly queue: DispatchedQueue; readonly isUrgent: boolean } | undefined {
    if (this.running >= this.most) return undefined;
    let urgent: DispatchedQueue | undefined;
    let other: DispatchedQueue | undefined;
    for (const queue of this.queues) {
      if (queue.idle === 0) continue;
      if (queue.hasUrgent) urgent ??= queue;
      if (queue.hasOthers) other ??= queue;
      if (urgent && other) break;
    }
    if (!urgent && !other) return undefined;
    if (!urgent || (other && this.isOthersTurn())) {
      this.urgentTurns = 0;
      return { queue: other!, isUrgent: false };
    }
    this.urgentTurns = other ? this.urgentTurns + 1 : 0;
    return { queue: urgent, isUrgent: true };
  }

  private isOthersTurn(): boolean {
    if (this.urgentTurns < URGENT_TURNS) return false;
    const workers = Math.min(this.most, [...this.queues].reduce((sum, { idle }) => sum + idle, this.running));
    return this.othersRunning < Math.max(1, Math.floor(workers * OTHERS_SHARE));
  }
}
