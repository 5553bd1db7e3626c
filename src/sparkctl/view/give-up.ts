import type { ObservedApplication } from '../../explain/explain';
import { giveUpBy, readGiveUp as readGiveUpBy, type OperatorReader } from '../../explain/read-give-up';
import type { KubeClient } from '../../kube/client';
import { LEASES } from '../../kube/lease';
import { OPERATOR_DEPLOYMENTS, OPERATOR_SELECTOR } from '../../model/operator-deployment';
import { listed } from '../doctor/listed';
import { read, valueOf } from '../doctor/reading';
import type { Installation } from '../setup/installation';

/**
 * Returns when the operator gives up on a driver that is not created or does not start, as a
 * clause.
 *
 * @returns undefined if it does not wait, or the user cannot read its Deployment
 */
export function readGiveUp(
  client: Pick<KubeClient, 'get' | 'list'>, observed: ObservedApplication, signal: AbortSignal,
): Promise<string | undefined> {
  return readGiveUpBy(readerOf(client, signal), observed);
}

/**
 * Returns when an operator gives up on a driver, as a clause.
 *
 * @returns undefined if it does not wait, or does not run
 */
export function giveUpOf(
  client: Pick<KubeClient, 'get' | 'list'>, observed: ObservedApplication, installation: Installation, signal: AbortSignal,
): Promise<string | undefined> {
  return giveUpBy(readerOf(client, signal), observed, installation);
}

function readerOf(client: Pick<KubeClient, 'get' | 'list'>, signal: AbortSignal): OperatorReader {
  return {
    async deployments(namespace) {
      const selection = { namespace, labelSelector: OPERATOR_SELECTOR };
      return valueOf(await read(listed(client, OPERATOR_DEPLOYMENTS, selection, signal))) ?? [];
    },
    lease: async (ref) => valueOf(await read(client.get(LEASES, ref, { signal }))),
  };
}
