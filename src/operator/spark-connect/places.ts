/** One who waits for a place. */
interface Waiter {
  readonly namespace: string;
  readonly enter: () => void;
}

/** Places for what may go on at the same time: so many in all, and so many for each namespace, so that those of one whose work takes long hold up no others. Who waits has its turn by itself. */
export class Places {
  /** How many are taken, by namespace. */
  private readonly taken = new Map<string, number>();
  /** In the order in which they came. */
  private readonly waiting = new Set<Waiter>();

  constructor(private readonly inAll: number, private readonly ofNamespace: number) {}

  /**
   * Works as soon as there is a place.
   *
   * @throws the reason of the signal, if it is aborted before
   */
  async within<T>(namespace: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(namespace, signal);
    try {
      return await work();
    } finally {
      this.leave(namespace);
    }
  }

  private async enter(namespace: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.hasRoomFor(namespace)) return this.take(namespace);
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.waiting.delete(waiter);
        reject(signal.reason as Error);
      };
      const enter = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const waiter = { namespace, enter };
      this.waiting.add(waiter);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Whoever waits is let in at once: nobody who comes between takes the place. */
  private leave(namespace: string): void {
    const left = this.taken.get(namespace)! - 1;
    if (left > 0) this.taken.set(namespace, left);
    else this.taken.delete(namespace);
    for (const waiter of this.waiting) {
      if (!this.hasRoomFor(waiter.namespace)) continue;
      this.waiting.delete(waiter);
      this.take(waiter.namespace);
      waiter.enter();
      return;
    }
  }

  private take(namespace: string): void {
    this.taken.set(namespace, (this.taken.get(namespace) ?? 0) + 1);
  }

  private hasRoomFor(namespace: string): boolean {
    const all = [...this.taken.values()].reduce((sum, count) => sum + count, 0);
    return all < this.inAll && (this.taken.get(namespace) ?? 0) < this.ofNamespace;
  }
}
