import { nearest } from '../rules/known-fields';
import { UsageError } from '../text/usage-error';

/** Failure of a command. The message names the reason and the remedy. */
export class CommandError extends Error {
  /** @param exitCode one of the command's `exitCodes`. @default - the command's `failureCode` */
  constructor(message: string, public readonly exitCode?: number) {
    super(message);
  }
}

/** Returns the error that problems of an object prevent its change: several have a line each. */
export function nothingChanged(problems: readonly string[]): CommandError {
  const [first, ...others] = [...new Set(problems)];
  const text = others.length === 0 ? ` ${first}` : [first, ...others].map((each) => `\n  ${each}`).join('');
  return new CommandError(`nothing was changed:${text}`);
}

/** End of a command by Ctrl-C. The message names what continues in the cluster. */
export class Interrupted extends Error {}

/**
 * Returns an `Interrupted` if Ctrl-C has aborted a call, else its error.
 *
 * @param title name of the object that continues
 */
export function interruptionOr(error: unknown, signal: AbortSignal, title: string): unknown {
  return signal.aborted && !(error instanceof CommandError) ? new Interrupted(`${title} continues in the cluster`) : error;
}

/**
 * Returns the error for an unknown name, with the most similar known one.
 *
 * @param choices names to write if none is similar @default - none
 */
export function unknown(what: string, word: string, known: readonly string[], choices: readonly string[] = []): UsageError {
  const similar = word.length > 2 ? nearest(word, known) : undefined; // a single letter is similar to any other
  const remedy = similar !== undefined ? `; did you mean ${similar}?` : choices.length > 0 ? `; write ${choices.join(', ')}` : '';
  return new UsageError(`there is no ${what} ${word}${remedy}`);
}

/** Describes why a file cannot be read or written, and the remedy. */
export function fileProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT': return 'there is no such file; check the path';
    case 'EISDIR': return 'it is a folder; name the files in it, such as folder/*.yaml';
    case 'EEXIST':
    case 'ENOTDIR': return 'a part of the path is a file, not a folder; choose another path';
    case 'EACCES': return 'you cannot open it; check its permissions';
    default: return message;
  }
}
