import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { AllowedTraffic, NetworkPeer, NetworkPort } from './network-peer';
import type { JobNamespaceNetwork } from './spark-job-namespace-props';
import { LABEL_SPARK_ROLE, SUBMITTER_ROLE } from '../api/labels';
import { SERVER_ROLE } from '../api/connect-server';
import type { Problem } from '../model/problem';

/** Simplified NetworkPolicy: `undefined` rules do not restrict that direction. */
interface Policy {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly pods: object;
  readonly ingress?: readonly Traffic[];
  readonly egress?: readonly Traffic[];
}

/** Resolved `AllowedTraffic`. */
interface Traffic {
  readonly peers: readonly Pick<NetworkPeer, '_toPeer'>[];
  readonly ports?: readonly NetworkPort[];
}

/**
 * Creates a NetworkPolicy.
 * @internal
 */
export function networkPolicy(scope: Construct, id: string, { name, namespace, pods, ingress, egress }: Policy): void {
  new ApiObject(scope, id, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec: {
      podSelector: pods,
      policyTypes: [...(ingress ? ['Ingress'] : []), ...(egress ? ['Egress'] : [])],
      ...(ingress && ingress.length > 0 && { ingress: ingress.map((traffic) => rule('from', traffic)) }),
      ...(egress && egress.length > 0 && { egress: egress.map((traffic) => rule('to', traffic)) }),
    },
  });
}

/**
 * Returns undefined for an empty list: Kubernetes treats an empty list of peers as all peers, which
 * is never intended.
 */
function rule(end: 'from' | 'to', { peers, ports }: Traffic): object {
  const list = peers.map((peer) => peer._toPeer());
  return {
    ...(!list.includes(undefined) && { [end]: list }),
    ...(ports && { ports: ports.map((port) => port._toPort()) }),
  };
}

/**
 * Selects drivers, executors, the servers of Spark Connect and Pods that run spark-submit.
 * @internal
 */
export const SPARK_PODS = { matchExpressions: [{ key: LABEL_SPARK_ROLE, operator: 'In', values: ['driver', 'executor', SERVER_ROLE, SUBMITTER_ROLE] }] };

const WITHIN: Traffic = { peers: [{ _toPeer: () => ({ podSelector: SPARK_PODS }) }] };

/** Selects the pods that call the API server. */
const DRIVERS = { matchExpressions: [{ key: LABEL_SPARK_ROLE, operator: 'In', values: ['driver', SERVER_ROLE, SUBMITTER_ROLE] }] };

/**
 * Selects the cluster's DNS: usually pods of kube-system, or a cache on each node at the address
 * that Kubernetes' documentation proposes.
 * @internal
 */
export const DNS: AllowedTraffic = {
  peers: [NetworkPeer.namespace('kube-system'), NetworkPeer.addresses('169.254.20.10/32')],
  ports: [NetworkPort.udp(53), NetworkPort.tcp(53)],
};

/**
 * Allows HTTPS to any destination.
 * @internal
 */
export const HTTPS: AllowedTraffic = {
  peers: [NetworkPeer.addresses('0.0.0.0/0'), NetworkPeer.addresses('::/0')], ports: [NetworkPort.tcp(443)],
};

/**
 * Ports of the API server, behind port 443 of its Service. The destination is any peer instead of
 * any address, because for Cilium ranges of addresses do not include the cluster's nodes, where the
 * API server runs.
 */
const API_SERVER: AllowedTraffic = { peers: [NetworkPeer.anywhere()], ports: [NetworkPort.tcp(443), NetworkPort.tcp(6443)] };

/** Ports of a driver's web UI, and the default port of the JMX exporter. */
const WEB_UI = NetworkPort.tcp(4040);
const JMX_EXPORTER = NetworkPort.tcp(8090);

/**
 * Rejects empty lists, which a NetworkPolicy would treat as all peers.
 * @internal
 */
export function networkViolations(
  { dns, apiServer, egress = [], ingress = [], webUiFrom, metricsFrom }: JobNamespaceNetwork = {},
): Problem[] {
  return [
    ...(dns ? trafficViolations('network.dns', dns) : []),
    ...(apiServer ? trafficViolations('network.apiServer', apiServer) : []),
    ...emptyViolations({ 'network.webUiFrom': webUiFrom, 'network.metricsFrom': metricsFrom }),
    ...Object.entries({ egress, ingress }).flatMap(([prop, rules]) => rules.flatMap((traffic, index) => trafficViolations(
      `network.${prop}[${index}]`, traffic,
    ))),
  ];
}

/**
 * Rejects traffic with empty lists, which a NetworkPolicy would treat as all peers.
 * @internal
 */
export function trafficViolations(path: string, { peers, ports }: AllowedTraffic): Problem[] {
  return emptyViolations({ [`${path}.peers`]: peers, [`${path}.ports`]: ports });
}

function emptyViolations(lists: { readonly [path: string]: readonly unknown[] | undefined }): Problem[] {
  return Object.entries(lists).filter(([, list]) => list?.length === 0).map(([path]) => ({
    path, value: undefined, reason: 'is empty; leave it out, or add a peer: NetworkPeer.anywhere() allows all',
  }));
}

/**
 * Adds policies that allow only the traffic that Spark needs, and the user's additional traffic.
 * Policies are additive.
 *
 * Executors listen on random ports, so Spark's pods can reach each other on all ports. One policy
 * for all applications cannot separate them, because selectors cannot compare labels of both ends.
 * @internal
 */
export function isolate(scope: Construct, namespace: string, network: JobNamespaceNetwork): void {
  const policy = (id: string, name: string, rest: Omit<Policy, 'name' | 'namespace'>) => networkPolicy(
    scope, id, { name, namespace, ...rest },
  );
  policy('DenyAll', 'spark-default-deny', { pods: {}, ingress: [], egress: [] });
  policy('Dns', 'spark-dns', { pods: {}, egress: [network.dns ?? DNS] });
  policy('WithinSpark', 'spark-internal', { pods: SPARK_PODS, ingress: [WITHIN], egress: [WITHIN] });
  policy('ApiServer', 'spark-api-server', { pods: DRIVERS, egress: [network.apiServer ?? API_SERVER] });
  const egress = network.egress ?? [HTTPS];
  if (egress.length > 0) policy('Egress', 'spark-egress', { pods: SPARK_PODS, egress });
  if (network.webUiFrom) policy('WebUi', 'spark-web-ui', { pods: DRIVERS, ingress: [{ peers: network.webUiFrom, ports: [WEB_UI] }] });
  if (network.metricsFrom) {
    policy('Metrics', 'spark-metrics', { pods: SPARK_PODS, ingress: [{ peers: network.metricsFrom, ports: [JMX_EXPORTER, WEB_UI] }] });
  }
  if (network.ingress?.length) policy('Ingress', 'spark-ingress', { pods: SPARK_PODS, ingress: network.ingress });
}
