import type { ObservedApplication } from './explain';
import { giveUpText, isAwaited } from './give-up';
import { isUnattended } from './unattended';
import { lockNameIn, startTimeoutIn } from '../flags/command-line';
import type { Lease } from '../kube/lease';
import { operatorArgs, type OperatorDeployment } from '../model/operator-deployment';
import { leaseOf } from '../model/operator-presence';

/** Reads the objects of an operator, as far as the user can. */
export interface OperatorReader {
  /** Lists the Deployments of operators; empty without the permission. */
  deployments(namespace: string): Promise<readonly OperatorDeployment[]>;
  /** @returns undefined without the permission, or if it does not exist */
  lease(ref: { readonly namespace: string; readonly name: string }): Promise<Lease | undefined>;
}

/**
 * Returns when the operator gives up on a driver that is not created or does not start, as a
 * clause.
 *
 * @returns undefined if it does not wait, or the user cannot read its Deployment
 */
export async function readGiveUp(reader: OperatorReader, observed: ObservedApplication): Promise<string | undefined> {
  const { application, operator, isDriverGone, now } = observed;
  const lease = leaseOf(application);
  if (!lease || isDriverGone || isUnattended(application, operator, now) || !isAwaited(observed)) return undefined;
  const commandLines = (await reader.deployments(lease.namespace)).map(operatorArgs);
  const args = commandLines.find((each) => each && lockNameIn(each) === lease.name);
  return args && giveUpBy(reader, observed, { namespace: lease.namespace, args });
}

/**
 * Returns when an operator gives up on a driver, as a clause.
 *
 * @returns undefined if it does not wait, or does not run
 */
export async function giveUpBy(
  reader: OperatorReader, { application, driver, operator, now }: ObservedApplication,
  { namespace, args }: { readonly namespace: string; readonly args: readonly string[] },
): Promise<string | undefined> {
  if (operator?.isActive === false) return undefined;
  const name = lockNameIn(args);
  const lease = name === undefined ? undefined : await reader.lease({ namespace, name });
  const operatorSince = Date.parse(lease?.spec?.acquireTime ?? '');
  return giveUpText({
    application, driver, now, startTimeout: startTimeoutIn(args), ...(operatorSince <= now && { operatorSince }),
  });
}
