/**
 * What is wrong at one place of an object.
 * @internal
 */
export interface Violation {
  /** Path of the field, such as `spec.driver.memory`. */
  readonly path: string;
  /** The value found there; undefined when it is missing. */
  readonly value: unknown;
  /** Why it is refused and what to write instead. */
  readonly reason: string;
  /** The field is not known: where unknown fields are dropped it does no harm. */
  readonly unknown?: true;
}
