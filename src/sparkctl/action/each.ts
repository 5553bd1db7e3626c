import type { Context } from '../command';
import { UsageError } from '../../text/usage-error';
import { printable } from '../../text/printable';
import { problemText } from '../problem';
import { targetOf, type KindName, type Target } from '../target';

/**
 * Does something to each object that a command line names. One that cannot be done does not keep the others from it.
 *
 * @param words the names
 * @param done what has been done, such as `suspended`
 * @returns the exit code
 * @throws {UsageError} before anything is done, if a name is wrong
 */
export async function doToEach(
  words: readonly string[],
  { namespace, allowed, done, io, act }: {
    readonly namespace: string;
    readonly allowed: readonly [KindName, ...KindName[]];
    readonly done: string;
    readonly io: Context['io'];
    readonly act: (target: Target) => Promise<unknown>;
  },
): Promise<number> {
  if (words.length === 0) throw new UsageError('there is no NAME; `sparkctl list` says what there is');
  const targets = words.map((word) => targetOf(word, namespace, allowed));
  let code = 0;
  for (const target of targets) {
    const name = printable(`${target.resource.kind.toLowerCase()}/${target.ref.name}`);
    try {
      await act(target);
      io.stdout(`${name} ${done}\n`);
    } catch (error) {
      const problem = problemText(error);
      if (problem === undefined) throw error;
      io.stderr(printable(`${name}: ${problem}\n`));
      code = 1;
    }
  }
  return code;
}
