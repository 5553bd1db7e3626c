/** How something is. */
export type Level = 'ok' | 'warning' | 'error' | 'not allowed';

/** What `sparkctl doctor` has found. The texts may hold what the cluster says; they are not `printable` yet. */
export interface Finding {
  /** What was looked at, such as `CRDs`. */
  readonly check: string;
  readonly level: Level;
  /** What is so; a sentence without a full stop. */
  readonly message: string;
  /** What to do, mostly a command to copy. */
  readonly remedy?: string;
}

/** Findings of one check. */
export interface Findings {
  readonly ok: (message: string) => Finding;
  readonly warning: (message: string, remedy?: string) => Finding;
  readonly error: (message: string, remedy?: string) => Finding;
  /** It could not be looked at, as the user lacks a right. */
  readonly notAllowed: (message: string, remedy?: string) => Finding;
}

/** Makes findings of one check. */
export function findingsOf(check: string): Findings {
  const at = (level: Level) => (message: string, remedy?: string): Finding => ({ check, level, message, ...(remedy !== undefined && { remedy }) });
  return { ok: at('ok'), warning: at('warning'), error: at('error'), notAllowed: at('not allowed') };
}
