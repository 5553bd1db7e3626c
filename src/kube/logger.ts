/**
 * What this folder needs of a logger: a subset of pino's.
 *
 * The first argument holds structured fields; an error goes under `err`.
 */
export interface Logger {
  /** For those who look for a fault in the operator itself. */
  debug(fields: object, message: string): void;
  /** What happens in a healthy system. */
  info(fields: object, message: string): void;
  /** Something is wrong outside; the operator copes. */
  warn(fields: object, message: string): void;
  /** Something that should not happen: somebody should look. */
  error(fields: object, message: string): void;
  /** A logger that adds these fields to every line. */
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
