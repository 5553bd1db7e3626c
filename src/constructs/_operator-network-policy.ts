import { NetworkPeer } from './network-peer';
import type { OperatorNetworkPolicy } from './operator-network-policy';

/** Ports of the operator's pods. */
interface OperatorPorts {
  readonly metrics?: number;
  readonly health: number;
  readonly webhook?: number;
}

/**
 * The specification of the NetworkPolicy.
 *
 * @internal
 */
export function networkPolicySpec(policy: OperatorNetworkPolicy, podLabels: { readonly [key: string]: string }, ports: OperatorPorts): object {
  const anywhere = [NetworkPeer.anywhere()];
  const { metricsFrom = [NetworkPeer.allPods()], healthFrom = [], webhookFrom = anywhere } = policy;
  const { apiServer = anywhere, apiServerPorts = [443, 6443], dns = anywhere, egressTo = [] } = policy;
  const tcp = (port: number) => ({ port, protocol: 'TCP' });
  return {
    podSelector: { matchLabels: podLabels },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      ...(ports.metrics === undefined ? [] : rule('from', metricsFrom, [tcp(ports.metrics)])),
      ...rule('from', healthFrom, [tcp(ports.health)]),
      ...(ports.webhook === undefined ? [] : rule('from', webhookFrom, [tcp(ports.webhook)])),
    ],
    egress: [
      ...rule('to', dns, [53, 5353].flatMap((port) => [{ port, protocol: 'UDP' }, tcp(port)])),
      ...rule('to', apiServer, apiServerPorts.map(tcp)),
      ...egressTo.flatMap(({ peers, ports: allowed }) => rule('to', peers, allowed?.map((port) => port._toPort()))),
    ],
  };
}

/** Nobody is named: there is no rule. Everybody is named: the rule names no one. */
function rule(direction: 'from' | 'to', peers: readonly NetworkPeer[], ports?: object[]): object[] {
  if (peers.length === 0) return [];
  const named = peers.map((peer) => peer._toPeer());
  return [{ ...(ports && { ports }), ...(named.includes(undefined) ? {} : { [direction]: named }) }];
}
