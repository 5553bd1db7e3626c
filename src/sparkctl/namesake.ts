import { CommandError } from './errors';
import { missingIn } from './problem';
import { KINDS, type KindName } from './target';
import type { KubeClient } from '../kube/client';
import type { KubeObject } from '../kube/objects';

/**
 * Returns an error with the name of an existing object, such as `schedule/nightly`, if the error is
 * that an object of another kind with this name is missing; else the error itself.
 *
 * @param kinds the kinds that the command accepts; the first is the default
 */
export async function withNamesake(
  error: unknown, client: Pick<KubeClient, 'get'>, kinds: readonly KindName[], signal: AbortSignal,
): Promise<unknown> {
  const missing = missingIn(error);
  if (!missing) return error;
  for (const kind of kinds.filter((each) => KINDS[each].plural !== missing.plural)) {
    const isFound = await client.get<KubeObject>(KINDS[kind], missing.ref, { signal }).then(() => true, () => false);
    const word = kind === kinds[0] ? missing.ref.name : `${kind}/${missing.ref.name}`;
    if (isFound) return new CommandError(`there is no ${missing.title}; did you mean ${word}?`);
  }
  return error;
}
