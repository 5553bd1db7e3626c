/*
 * The traffic that NetworkPolicies allow, after the API's own words (networking.k8s.io/v1), for tests on clusters that enforce none. Addresses and ports are
 * those at the ends of a connection: of the pod behind a Service, not of the Service.
 */
import { BlockList, isIPv6 } from 'node:net';

/** A pod, as far as policies look at it. */
export interface PolicyPod {
  readonly name: string;
  readonly namespace: string;
  readonly labels: { readonly [key: string]: string };
  readonly ip: string;
  /** Address of its node, which may always reach it, and be reached. */
  readonly nodeIp?: string;
  /** For policies that call ports by their names. */
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[];
}

/** One end of a connection: a pod, or an address that belongs to none. */
export type End = PolicyPod | string;

/** The connection that is to be opened: who asks, who is asked, and where. */
export interface Connection {
  readonly from: End;
  readonly to: End;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
}

/** The objects of a cluster that policies depend on. */
export interface Policies {
  /** All NetworkPolicies, as manifests. */
  readonly policies: readonly any[];
  /** The labels of each namespace. `kubernetes.io/metadata.name` is added, as the API server does. */
  readonly namespaces: { readonly [name: string]: { readonly [key: string]: string } };
}

/** Whether a connection is allowed: the client has egress, and the server has ingress. */
export function isAllowed(connection: Connection, cluster: Policies): boolean {
  const { from, to } = connection;
  if (addressOf(from) === addressOf(to)) return true; // no policy keeps a pod from itself
  return passes('Egress', from, to, connection, cluster) && passes('Ingress', to, from, connection, cluster);
}

/** One end that is not selected by any policy for a direction lets everything through; else one of them has to let it through. */
function passes(direction: 'Ingress' | 'Egress', end: End, other: End, connection: Connection, cluster: Policies): boolean {
  if (typeof end === 'string' || (end.nodeIp !== undefined && end.nodeIp === addressOf(other))) return true;
  const selecting = cluster.policies.filter(({ metadata, spec }) => (metadata.namespace ?? 'default') === end.namespace && typesOf(spec).includes(direction) && selects(spec.podSelector, end.labels));
  if (selecting.length === 0) return true;
  return selecting.some(({ metadata, spec }) => (spec[direction.toLowerCase()] ?? []).some((rule: any) => (
    matchesPeers(direction === 'Ingress' ? rule.from : rule.to, other, metadata.namespace ?? 'default', cluster) && matchesPorts(rule.ports, connection)
  )));
}

/** `Ingress` always, and `Egress` if there are such rules, where a policy does not say it. */
function typesOf({ policyTypes, egress }: any): string[] {
  return policyTypes ?? ['Ingress', ...(egress ? ['Egress'] : [])];
}

/** No list, or an empty one, is everybody. */
function matchesPeers(peers: readonly any[] | undefined, other: End, namespace: string, { namespaces }: Policies): boolean {
  if (!peers || peers.length === 0) return true;
  return peers.some(({ podSelector, namespaceSelector, ipBlock }) => {
    if (ipBlock) return isWithin(ipBlock.cidr, addressOf(other)) && !(ipBlock.except ?? []).some((part: string) => isWithin(part, addressOf(other)));
    if (typeof other === 'string') return false;
    const isNamespace = namespaceSelector ? selects(namespaceSelector, { ...namespaces[other.namespace], 'kubernetes.io/metadata.name': other.namespace }) : other.namespace === namespace;
    return isNamespace && (!podSelector || selects(podSelector, other.labels));
  });
}

/** No list, or an empty one, is all ports of all protocols. */
function matchesPorts(ports: readonly any[] | undefined, { to, port, protocol = 'TCP' }: Connection): boolean {
  if (!ports || ports.length === 0) return true;
  return ports.some((allowed) => {
    if ((allowed.protocol ?? 'TCP') !== protocol) return false;
    if (allowed.port === undefined) return true;
    if (typeof allowed.port === 'string') {
      return typeof to !== 'string' && (to.ports ?? []).some(({ name, containerPort, protocol: its = 'TCP' }) => name === allowed.port && containerPort === port && its === protocol);
    }
    return port >= allowed.port && port <= (allowed.endPort ?? allowed.port);
  });
}

/** An empty selector selects everything. */
function selects(selector: any, labels: { readonly [key: string]: string }): boolean {
  const byLabels = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return byLabels && (selector.matchExpressions ?? []).every(({ key, operator, values = [] }: any) => {
    const value = labels[key];
    switch (operator) {
      case 'In': return value !== undefined && values.includes(value);
      case 'NotIn': return value === undefined || !values.includes(value);
      case 'Exists': return value !== undefined;
      case 'DoesNotExist': return value === undefined;
      default: throw new Error(`there is no operator ${operator} in selectors`);
    }
  });
}

function isWithin(cidr: string, address: string): boolean {
  const [network, length] = cidr.split('/');
  const list = new BlockList();
  list.addSubnet(network!, Number(length), familyOf(network!));
  return familyOf(network!) === familyOf(address) && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function addressOf(end: End): string {
  return typeof end === 'string' ? end : end.ip;
}
