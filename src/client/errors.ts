import { violationText } from '../validation/violation-text';

/** Invalid field of an object. */
export interface PropViolation {
  /** Prop, such as `driver.memory`. */
  readonly path: string;
  /** Value found there; undefined when it is missing. */
  readonly value: unknown;
  /** Reason for the rejection, and the valid values. */
  readonly reason: string;
}

/** Error for props that Spark, the API server or the operator would reject. Nothing was sent. */
export class PropsError extends Error {
  /**
   * All problems of the props. Not enumerable, because loggers print enumerable fields, and a value
   * might be a secret.
   */
  declare readonly violations: readonly PropViolation[];

  constructor(kind: string, place: string, violations: readonly PropViolation[]) {
    super(`${kind} ${place} would be rejected:\n${violations.map((violation) => `  ${violationText(violation)}`).join('\n')}`);
    this.name = 'PropsError';
    Object.defineProperty(this, 'violations', { value: violations });
  }
}

/** Error for a requested run of a schedule that has not begun. */
export class RunNotStartedError extends Error {
  /**
   * - `skipped`: the operator has decided so, by the schedule's concurrency policy; its events
   *   contain the reason
   * - `timed out`: the operator did not start it in time; it might still do so
   */
  readonly reason: 'skipped' | 'timed out';

  constructor(reason: RunNotStartedError['reason'], message: string) {
    super(message);
    this.name = 'RunNotStartedError';
    this.reason = reason;
  }
}

/** Error for a missing or invalid configuration of the cluster. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}
