import { createInterface } from 'node:readline/promises';
import { CommandError } from '../errors';

/** Asks for a line on a terminal; undefined without a terminal. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/**
 * Asks the user to type a word, so that a destructive action does not happen by mistake.
 *
 * @param what description of the action, as the beginning of a sentence
 * @throws {CommandError} if the user did not type it
 */
export async function confirm(what: string, word: string, ask: Ask, signal: AbortSignal): Promise<void> {
  const answer = await ask(`${what}. Type ${word} to continue: `, signal);
  if (answer === undefined) throw new CommandError(`${what}; there is no terminal to confirm it: add --yes`);
  if (answer.trim() !== word) throw new CommandError('nothing was changed, as it was not confirmed');
}

/** Asks on the terminal of the process. */
export const askOnTerminal: Ask = async (question, signal) => {
  if (!process.stdin.isTTY) return undefined;
  // On standard error, as standard output can be redirected.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
};
