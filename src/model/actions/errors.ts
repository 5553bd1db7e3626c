/** A requested run of a schedule has not started. */
export class RunNotStartedError extends Error {
  /**
   * - `skipped`: the operator skipped the run by the schedule's concurrency policy, and recorded
   *   the reason in an event
   * - `timed out`: the operator did not start the run in time; it might still start it
   */
  readonly reason: 'skipped' | 'timed out';

  constructor(reason: RunNotStartedError['reason'], message: string) {
    super(message);
    this.name = 'RunNotStartedError';
    this.reason = reason;
  }
}
