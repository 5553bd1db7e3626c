import type { Cluster } from '../cluster';
import type { Context } from '../command';
import { withNamesake } from '../namesake';
import { UsageError } from '../../text/usage-error';
import { printMessage } from '../output/wrapped-output';
import { titleOf } from '../output/title';
import { printable } from '../../text/printable';
import { about, problemText } from '../problem';
import { targetOf, type KindName, type Target } from '../target';

/**
 * Applies an action to each object that a command line names. If it fails for one, the others are
 * still processed.
 *
 * @param words names of the objects
 * @param command name of the command, which messages begin with
 * @param done past participle of the action, such as `suspended`
 * @returns the exit code
 * @throws {UsageError} before the first action, if a name is wrong
 */
export async function doToEach(
  words: readonly string[],
  { command, client, namespace, allowed, done, io, terminal, signal, act }: Pick<Cluster, 'client' | 'namespace'>
    & Pick<Context, 'io' | 'terminal' | 'signal'> & {
      readonly command: string;
      readonly allowed: readonly [KindName, ...KindName[]];
      readonly done: string;
      /** Acts on one object. A returned text replaces `done`. */
      readonly act: (target: Target) => Promise<string | void>;
    },
): Promise<number> {
  if (words.length === 0) throw new UsageError('NAME is missing; `sparkctl list` lists existing ones');
  const targets = words.map((word) => targetOf(word, namespace, allowed));
  let code = 0;
  for (const target of targets) {
    const title = titleOf({ kind: target.resource.kind, metadata: target.ref });
    try {
      printMessage({ io, terminal }, printable(`${title} ${await act(target) ?? done}`));
    } catch (error) {
      const problem = problemText(await withNamesake(error, client, allowed, signal));
      if (problem === undefined) throw error;
      io.stderr(printable(`sparkctl ${command}: ${about(title, problem)}\n`));
      code = 1;
    }
  }
  return code;
}
