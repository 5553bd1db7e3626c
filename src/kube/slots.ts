interface Waiter {
  readonly enter: () => void;
}

/** Lets so many in at a time; the others wait in order. */
export class Slots {
  private free: number;
  private readonly waiting = new Set<Waiter>();

  /** @param count at least 1 */
  constructor(count: number) {
    this.free = count;
  }

  /**
   * Waits for a slot.
   *
   * @returns what gives it back
   * @throws the signal's reason if it is aborted before there is one
   */
  public async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.free > 0) {
      this.free--;
    } else {
      await this.turn(signal);
    }
    let left = false;
    return () => {
      if (!left) {
        left = true;
        this.leave();
      }
    };
  }

  /** The slot goes to the next one directly: nobody who comes later can take it before. */
  private leave(): void {
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      next.enter();
    } else {
      this.free++;
    }
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.waiting.delete(waiter);
        reject(signal!.reason as Error);
      };
      const waiter: Waiter = {
        enter: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      this.waiting.add(waiter);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
