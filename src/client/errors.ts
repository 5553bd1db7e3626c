import { violationText } from '../model/violation-text';

/** A place of an object that would be refused. */
export interface PropViolation {
  /** The prop, such as `driver.memory`. */
  readonly path: string;
  /** The value found there; undefined when it is missing. */
  readonly value: unknown;
  /** Why it is refused and what to write instead. */
  readonly reason: string;
}

/** Props that Spark, the API server or the operator would refuse. Nothing was sent. */
export class PropsError extends Error {
  /** All that is wrong with them. Not enumerable, as loggers print those fields, and a value may be a secret. */
  declare readonly violations: readonly PropViolation[];

  constructor(kind: string, place: string, violations: readonly PropViolation[]) {
    super(`${kind} ${place} would be refused:\n${violations.map((violation) => `  ${violationText(violation)}`).join('\n')}`);
    this.name = 'PropsError';
    Object.defineProperty(this, 'violations', { value: violations });
  }
}

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

/** There is no cluster to talk to: the configuration is missing or wrong. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}
