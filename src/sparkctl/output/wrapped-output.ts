import type { Context } from '../command';
import type { Io } from '../io';
import type { Terminal } from '../terminal';
import { wrappedMessage } from '../../text/message';

/**
 * Prints a sentence about a result on standard output; a terminal shows it wrapped.
 *
 * @param text without a line feed at its end; it must be `printable` already
 */
export function printMessage({ io, terminal }: Pick<Context, 'io' | 'terminal'>, text: string): void {
  io.stdout(`${wrappedMessage(text, terminal.columns)}\n`);
}

/** Returns the same input and output with messages on standard error wrapped for its terminal. */
export function withWrappedErrors(io: Io, terminal: Terminal): Io {
  return { ...io, stderr: (text) => io.stderr(wrappedMessage(text, terminal.errorColumns)) };
}
