import { deletionText } from '../../explain/deletion';
import type { KubeObject } from '../../kube/objects';
import { CommandError } from '../errors';

/**
 * Rejects an action on an object that is being deleted, on which it would have no effect.
 *
 * @param what what was not done, as the rest of the sentence @default - nothing was changed
 * @throws {CommandError} if it is being deleted
 */
export function rejectDeletion(object: KubeObject, what = 'nothing was changed'): void {
  const text = deletionText(object);
  if (text !== undefined) throw new CommandError(`it ${text}; ${what}`);
}
