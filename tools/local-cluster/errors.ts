import { existsSync, readFileSync } from 'node:fs';

/** An error that the user can act on: it is printed without a stack trace. */
export class ToolError extends Error {
  /** The remedy. */
  readonly hint?: string;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolError';
    this.hint = hint;
  }
}

/** Returns the message of an error for the user. */
export function formatError(thrown: unknown, debug = false): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (!(error instanceof ToolError)) return error.stack ?? error.message;
  return [error.message, error.hint, debug ? error.stack : undefined].filter((part) => part).join('\n');
}

/** The end of a log file, indented below the sentence that names it. */
export function logTail(file: string, lines = 15): string {
  if (!existsSync(file)) return `There is no log at ${file}.`;
  const text = readFileSync(file, 'utf8').trimEnd();
  if (text === '') return `The log is empty: ${file}`;
  return [`The log is ${file}, and ends with`, ...text.split(/\r\n|\n|\r/).slice(-lines).map((line) => `  ${line}`)].join('\n');
}
