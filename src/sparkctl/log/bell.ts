/** Signal that wakes one waiter. If no one waits, it stays set for the next waiter. */
export class Signal {
  private isRung = false;
  private wake?: () => void;

  /** Sets the signal. */
  readonly ring = (): void => {
    this.isRung = true;
    this.wake?.();
  };

  /**
   * Resolves when the signal is set, and clears it.
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
