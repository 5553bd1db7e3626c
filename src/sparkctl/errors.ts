import { nearest } from '../rules/known-fields';
import { UsageError } from '../text/usage-error';

/** What a command cannot do. The message names the reason and the remedy. */
export class CommandError extends Error {
  /** @param exitCode what the command's `exitCodes` say of it. @default 1 */
  constructor(message: string, public readonly exitCode = 1) {
    super(message);
  }
}

/** There is none of this name: what to write instead. */
export function unknown(what: string, word: string, known: readonly string[]): UsageError {
  const similar = word.length > 2 ? nearest(word, known) : undefined; // one letter is similar to any other
  return new UsageError(`there is no ${what} ${word}${similar === undefined ? '' : `; did you mean ${similar}?`}`);
}

/** Why a file cannot be read or written, for people. */
export function fileProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT': return 'there is no such file; check the path';
    case 'EISDIR': return 'is a folder; name the files in it, such as folder/*.yaml';
    case 'EACCES': return 'may not be opened; check its permissions';
    default: return message;
  }
}
