import { createInterface } from 'node:readline/promises';
import { CommandError } from '../errors';

/** Asks for a line on a terminal; undefined where there is nobody to ask. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/**
 * Has somebody type a word, so that what cannot be undone is not done by a slip of the hand.
 *
 * @param what what is done; the beginning of a sentence
 * @throws {CommandError} if it was not typed
 */
export async function confirm(what: string, word: string, ask: Ask, signal: AbortSignal): Promise<void> {
  const answer = await ask(`${what}. Type ${word} to go on: `, signal);
  if (answer === undefined) throw new CommandError(`${what}; there is no terminal to confirm it at: add --yes`);
  if (answer.trim() !== word) throw new CommandError('nothing was done, as it was not confirmed');
}

/** Asks on the terminal that the program runs on. */
export const askOnTerminal: Ask = async (question, signal) => {
  if (!process.stdin.isTTY) return undefined;
  // On standard error, as the result may go elsewhere.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
};
