import type { KubeClient } from '../../kube/client';
import { ownPermissions } from '../doctor/access-reviews';
import { valueOf } from '../doctor/reading';
import { CommandError } from '../errors';
import { canI } from '../lacking-permission';
import type { Target } from '../target';

/**
 * Checks whether the user can change an object, so that no edit is lost. Without an answer it
 * passes: the change itself reports a missing permission, too.
 *
 * @throws {CommandError} if the user cannot
 */
export async function checkPermission(
  client: Pick<KubeClient, 'request'>, { resource: { group, plural }, ref: { namespace, name } }: Target, signal: AbortSignal,
): Promise<void> {
  const answers = valueOf(await ownPermissions(client, [{ group, resource: plural, verb: 'patch', namespace, name }], signal));
  if (!answers?.some(({ isAllowed }) => !isAllowed)) return;
  const check = canI({ verb: 'patch', resource: plural, namespace });
  throw new CommandError(`you cannot patch ${plural} in ${namespace}; ask for the permission that \`${check}\` checks`);
}
