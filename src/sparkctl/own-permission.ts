import type { KubeClient } from '../kube/client';
import { ownPermissions } from './doctor/access-reviews';
import type { Permission } from './doctor/permissions';
import { valueOf } from './doctor/reading';
import { CommandError } from './errors';
import { canI, cannotText } from './lacking-permission';

/**
 * Checks a permission of the user before work that would be in vain without it. Without an answer
 * it passes: the later call reports a missing permission, too.
 *
 * @throws {CommandError} if the user lacks it
 */
export async function checkPermission(client: Pick<KubeClient, 'request'>, permission: Permission, signal: AbortSignal): Promise<void> {
  const answers = valueOf(await ownPermissions(client, [permission], signal));
  if (!answers?.some(({ isAllowed }) => !isAllowed)) return;
  throw new CommandError(`${cannotText(permission)}; ask for the permission that \`${canI(permission)}\` checks`);
}
