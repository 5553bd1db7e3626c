/** A run of a schedule that was asked for has not begun. */
export class RunNotStartedError extends Error {
  /**
   * - `skipped`: the operator has decided so, by the schedule's concurrency policy; its events say why
   * - `timed out`: the operator did not do it in time; it may still do it
   */
  readonly reason: 'skipped' | 'timed out';

  constructor(reason: RunNotStartedError['reason'], message: string) {
    super(message);
    this.name = 'RunNotStartedError';
    this.reason = reason;
  }
}
