import { isNamed } from '../kube/errors';
import type { RunNotStartedError } from '../model/actions/errors';
import { problemText } from '../model/problem';

export { RunNotStartedError } from '../model/actions/errors';

/** Whether props are invalid. Works with several copies of the client, like the other functions. */
export function isPropsError(error: unknown): error is PropsError {
  return isNamed(error, 'PropsError');
}

/** Whether a requested run of a schedule did not start. */
export function isRunNotStarted(error: unknown): error is RunNotStartedError {
  return isNamed(error, 'RunNotStartedError');
}

/** Whether the configuration of the cluster is missing or invalid. */
export function isConfigurationError(error: unknown): error is ConfigurationError {
  return isNamed(error, 'ConfigurationError');
}

/** Invalid field of an object. */
export interface PropViolation {
  /** Prop, such as `driver.memory`. */
  readonly path: string;
  /** Value found there; undefined when it is missing. */
  readonly value?: unknown;
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
    super(`${kind} ${place} would be rejected:\n${violations.map((violation) => `  ${problemText(violation)}`).join('\n')}`);
    this.name = 'PropsError';
    Object.defineProperty(this, 'violations', { value: violations });
  }
}

/** Error for a missing or invalid configuration of the cluster. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}
