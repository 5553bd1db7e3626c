/** Severity of a finding. */
export type Level = 'ok' | 'warning' | 'error' | 'not allowed';

/**
 * Result of one check of `sparkctl doctor`. The texts can hold texts of the cluster; they are not
 * `printable` yet.
 */
export interface Finding {
  /** Name of the check, such as `CRDs`. */
  readonly check: string;
  readonly level: Level;
  /** Statement without a full stop. */
  readonly message: string;
  /** Remedy, mostly a command to copy. */
  readonly remedy?: string;
  /** Object with the problem. @default - several, or none */
  readonly object?: FoundObject;
  /**
   * Applications whose drivers need what is missing, as `namespace/name`.
   *
   * @default - none, or unknown
   */
  readonly applications?: readonly string[];
  /**
   * SparkConnects whose server pods need what is missing, as `namespace/name`.
   *
   * @default - none, or unknown
   */
  readonly connects?: readonly string[];
}

/** Object of a finding. */
export interface FoundObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Constructors of the findings of one check. */
export interface Findings {
  readonly ok: (message: string) => Finding;
  readonly warning: (message: string, remedy?: string) => Finding;
  readonly error: (message: string, remedy?: string) => Finding;
  /** The check was impossible, as the user lacks a permission. */
  readonly notAllowed: (message: string, remedy?: string) => Finding;
  /** Returns the constructors of findings about an object. */
  readonly about: (object: FoundObject) => Findings;
}

/** Returns the constructors of a check's findings. */
export function findingsOf(check: string, object?: FoundObject): Findings {
  const at = (level: Level) => (message: string, remedy?: string): Finding => ({
    check, level, message, ...(remedy !== undefined && { remedy }), ...(object && { object }),
  });
  return { ok: at('ok'), warning: at('warning'), error: at('error'), notAllowed: at('not allowed'), about: (one) => findingsOf(check, one) };
}
