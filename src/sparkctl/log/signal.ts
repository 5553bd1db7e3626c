/** Signal that wakes one waiter. If no one waits, it stays set for the next waiter. */
export class Signal {
  private isSet = false;
  private wake?: () => void;

  /** Sets the signal. */
  readonly set = (): void => {
    this.isSet = true;
    this.wake?.();
  };

  /**
   * Resolves when the signal is set, and clears it.
   *
   * @throws the signal's reason, once the signal is aborted
   */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isSet) {
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
    this.isSet = false;
  }
}
