import { violationText } from '../model/violation-text';

export { RunNotStartedError } from '../model/actions/errors';

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

/** There is no cluster to talk to: the configuration is missing or wrong. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}
