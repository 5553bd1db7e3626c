import { NetworkPeer } from './network-peer';
import type { SparkOperatorProps } from './spark-operator-props';
import { OPERATOR_NAME, OPERATOR_SELECTOR, WEBHOOK_SELECTOR } from './_labels';
import { CONSOLE_NAME, CONSOLE_PORT, CONSOLE_SELECTOR } from './_operator-console';
import { HEALTH_PORT, METRICS_PORT } from './_operator-flags';
import { WEBHOOK_NAME, webhookPort } from './_webhook-flags';
import type { OperatorNetworkPolicy } from './operator-network-policy';

/** Ports of the pods of the operator, its webhook or its console. */
interface OperatorPorts {
  readonly metrics?: number;
  readonly health?: number;
  readonly webhook?: number;
  readonly console?: number;
}

/**
 * Returns the NetworkPolicies of the operator, its webhook and its console; none if they are not
 * wanted.
 *
 * @internal
 */
export function networkPolicies(
  { networkPolicy, metrics, webhook, console }: SparkOperatorProps,
): { readonly id: string; readonly name: string; readonly spec: object }[] {
  if (!networkPolicy) return [];
  const ports = { health: HEALTH_PORT, ...(metrics?.enabled !== false && { metrics: METRICS_PORT }) };
  const serving = { ...ports, ...(webhook && { webhook: webhookPort(webhook) }) };
  return [
    {
      id: 'NetworkPolicy', name: OPERATOR_NAME,
      spec: networkPolicySpec(networkPolicy, OPERATOR_SELECTOR, webhook?.deployment ? ports : serving),
    },
    ...(webhook?.deployment ? [{
      id: 'WebhookNetworkPolicy', name: WEBHOOK_NAME, spec: networkPolicySpec(networkPolicy, WEBHOOK_SELECTOR, serving),
    }] : []),
    ...(console ? [{
      id: 'ConsoleNetworkPolicy', name: CONSOLE_NAME,
      spec: networkPolicySpec(networkPolicy, CONSOLE_SELECTOR, { console: CONSOLE_PORT }),
    }] : []),
  ];
}

function networkPolicySpec(
  policy: OperatorNetworkPolicy, podLabels: { readonly [key: string]: string }, ports: OperatorPorts,
): object {
  const anywhere = [NetworkPeer.anywhere()];
  const { metricsFrom = [NetworkPeer.allPods()], healthFrom = [], webhookFrom = anywhere, consoleFrom = [NetworkPeer.allPods()] } = policy;
  const { apiServer = anywhere, apiServerPorts = [443, 6443], dns = anywhere } = policy;
  const tcp = (port: number) => ({ port, protocol: 'TCP' });
  const open = (port: number | undefined, from: readonly NetworkPeer[]) => (port === undefined ? [] : rule('from', from, [tcp(port)]));
  return {
    podSelector: { matchLabels: podLabels },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      ...open(ports.metrics, metricsFrom),
      ...open(ports.health, healthFrom),
      ...open(ports.webhook, webhookFrom),
      ...open(ports.console, consoleFrom),
    ],
    egress: [
      ...rule('to', dns, [53, 5353].flatMap((port) => [{ port, protocol: 'UDP' }, tcp(port)])),
      ...rule('to', apiServer, apiServerPorts.map(tcp)),
    ],
  };
}

/** Without peers there is no rule; for all peers, the rule has no selector. */
function rule(direction: 'from' | 'to', peers: readonly NetworkPeer[], ports?: object[]): object[] {
  if (peers.length === 0) return [];
  const named = peers.map((peer) => peer._toPeer());
  return [{ ...(ports && { ports }), ...(named.includes(undefined) ? {} : { [direction]: named }) }];
}
