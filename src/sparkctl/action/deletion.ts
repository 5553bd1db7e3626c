import { deletionText } from '../../explain/deletion';
import type { KubeObject } from '../../kube/objects';
import { CommandError } from '../errors';

/**
 * Rejects an action on an object that is being deleted, on which it would have no effect.
 *
 * @throws {CommandError} if it is being deleted
 */
export function rejectDeletion(object: KubeObject): void {
  const text = deletionText(object);
  if (text !== undefined) throw new CommandError(`it ${text}; nothing was changed`);
}
