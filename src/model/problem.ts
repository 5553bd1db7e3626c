/**
 * Violation of a rule by one field of an object.
 * @internal
 */
export interface Violation {
  /** Path of the field, such as `spec.driver.memory`. */
  readonly path: string;
  /** Value of the field; undefined if it is missing. */
  readonly value: unknown;
  /** Reason of the rejection, and the remedy. */
  readonly reason: string;
  /**
   * Whether the API does not know the field. This is harmless where the API server drops unknown
   * fields.
   */
  readonly unknown?: true;
}
