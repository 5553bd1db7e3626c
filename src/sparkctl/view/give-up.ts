import { giveUpText, isAwaited } from '../../explain/give-up';
import type { ObservedApplication } from '../../explain/explain';
import { isUnattended } from '../../explain/unattended';
import type { KubeClient } from '../../kube/client';
import { LEASES } from '../../kube/lease';
import { leaseOf } from '../../model/operator-presence';
import { listed } from '../doctor/listed';
import { read, valueOf } from '../doctor/reading';
import { installationIn, OPERATOR_SELECTOR, startTimeoutOf, type Installation } from '../setup/installation';
import { DEPLOYMENTS } from '../setup/kinds';

/**
 * Returns when the operator gives up on a driver that is not created or does not start, as a
 * clause.
 *
 * @returns undefined if it does not wait, or the user cannot read its Deployment
 */
export async function readGiveUp(
  client: Pick<KubeClient, 'get' | 'list'>, observed: ObservedApplication, signal: AbortSignal,
): Promise<string | undefined> {
  const { application, operator, isDriverGone, now } = observed;
  const lease = leaseOf(application);
  if (!lease || isDriverGone || isUnattended(application, operator, now) || !isAwaited(observed)) return undefined;
  const selection = { namespace: lease.namespace, labelSelector: OPERATOR_SELECTOR };
  const deployments = valueOf(await read(listed(client, DEPLOYMENTS, selection, signal))) ?? [];
  const installation = deployments.map(installationIn).find((each) => each?.lease === lease.name);
  return installation && giveUpOf(client, observed, installation, signal);
}

/**
 * Returns when an operator gives up on a driver, as a clause.
 *
 * @returns undefined if it does not wait, or does not run
 */
export async function giveUpOf(
  client: Pick<KubeClient, 'get'>, { application, driver, operator, now }: ObservedApplication, installation: Installation,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (operator?.isActive === false) return undefined;
  const { namespace, lease: name } = installation;
  const lease = name === undefined ? undefined : await read(client.get(LEASES, { namespace, name }, { signal }));
  const operatorSince = Date.parse((lease && valueOf(lease)?.spec?.acquireTime) ?? '');
  return giveUpText({
    application, driver, now, startTimeout: startTimeoutOf(installation), ...(operatorSince <= now && { operatorSince }),
  });
}
