import { NetworkPeer } from './network-peer';
import { CONSOLE_PORT } from './_operator-console';
import type { OperatorContext } from './_operator-context';
import { HEALTH_PORT, metricsPort } from './_operator-flags';
import type { ProgramNames } from './_operator-names';
import { webhookPort } from './_webhook-flags';
import type { OperatorNetworkPolicy } from './operator-network-policy';

/** Ports of the pods of the operator, its webhook or its console. */
interface OperatorPorts {
  readonly metrics?: number | undefined;
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
  { props, names }: OperatorContext,
): { readonly id: string; readonly names: ProgramNames; readonly spec: object }[] {
  const { networkPolicy, webhook, console } = props;
  if (!networkPolicy) return [];
  const ports = { health: HEALTH_PORT, metrics: metricsPort(props) };
  const serving = { ...ports, ...(webhook && { webhook: webhookPort(webhook) }) };
  const policy = (id: string, program: ProgramNames, opened: OperatorPorts) => (
    { id, names: program, spec: networkPolicySpec(networkPolicy, program.selector, opened) }
  );
  return [
    policy('NetworkPolicy', names.operator, webhook?.deployment ? ports : serving),
    ...(webhook?.deployment ? [policy('WebhookNetworkPolicy', names.webhook, serving)] : []),
    ...(console ? [policy('ConsoleNetworkPolicy', names.console, { console: CONSOLE_PORT })] : []),
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
