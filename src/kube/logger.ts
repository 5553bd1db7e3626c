/**
 * The part of a logger that this folder needs: a subset of pino's.
 *
 * The first argument has structured fields, an error in `err`.
 */
export interface Logger {
  /** For faults of the operator itself. */
  debug(fields: object, message: string): void;
  /** For events of a healthy system. */
  info(fields: object, message: string): void;
  /** For external problems that the operator handles. */
  warn(fields: object, message: string): void;
  /** For unexpected errors that need attention. */
  error(fields: object, message: string): void;
  /** Returns a logger that adds these fields to every line. */
  child(bindings: Record<string, unknown>): Logger;
}

/** Logs nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};
