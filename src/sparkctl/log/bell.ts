/** Wakes one who waits. Rung while nobody does, it is heard by the next who comes. */
export class Signal {
  private isRung = false;
  private wake?: () => void;

  /** Rings it. */
  readonly ring = (): void => {
    this.isRung = true;
    this.wake?.();
  };

  /**
   * Resolves when it has been rung since the last time.
   *
   * @throws the signal's reason, once the signal is aborted
   */
  async heard(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isRung) {
      await new Promise<void>((resolve, reject) => {
        const abort = () => reject(signal.reason);
        this.wake = () => {
          signal.removeEventListener('abort', abort);
          resolve();
        };
        signal.addEventListener('abort', abort, { once: true });
      });
    }
    this.wake = undefined;
    this.isRung = false;
  }
}
