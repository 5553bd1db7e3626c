import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { AllowedTraffic, NetworkPeer, NetworkPort } from './network-peer';
import type { JobNamespaceNetwork } from './spark-job-namespace-props';
import { LABEL_SPARK_ROLE } from '../api/labels';
import { SERVER_ROLE } from '../api/connect-server';
import type { Violation } from '../model/problem';

/** A NetworkPolicy as it is made here: rules of `undefined` say nothing about that direction. */
interface Policy {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly pods: object;
  readonly ingress?: readonly Traffic[];
  readonly egress?: readonly Traffic[];
}

/** What `AllowedTraffic` comes down to. */
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

/** An empty list of peers would be everybody, which nobody means who writes one. */
function rule(end: 'from' | 'to', { peers, ports }: Traffic): object {
  const list = peers.map((peer) => peer._toPeer());
  return {
    ...(!list.includes(undefined) && { [end]: list }),
    ...(ports && { ports: ports.map((port) => port._toPort()) }),
  };
}

/**
 * Drivers, executors and the servers of Spark Connect.
 * @internal
 */
export const SPARK_PODS = { matchExpressions: [{ key: LABEL_SPARK_ROLE, operator: 'In', values: ['driver', 'executor', SERVER_ROLE] }] };

const WITHIN: Traffic = { peers: [{ _toPeer: () => ({ podSelector: SPARK_PODS }) }] };

/** The pods that create executors, and have a web UI. */
const DRIVERS = { matchExpressions: [{ key: LABEL_SPARK_ROLE, operator: 'In', values: ['driver', SERVER_ROLE] }] };

/**
 * The cluster's DNS: in most clusters pods of kube-system, or a cache on each node at the address that Kubernetes' documentation proposes.
 * @internal
 */
export const DNS: AllowedTraffic = {
  peers: [NetworkPeer.namespace('kube-system'), NetworkPeer.addresses('169.254.20.10/32')],
  ports: [NetworkPort.udp(53), NetworkPort.tcp(53)],
};

/**
 * HTTPS, wherever.
 * @internal
 */
export const HTTPS: AllowedTraffic = { peers: [NetworkPeer.addresses('0.0.0.0/0'), NetworkPeer.addresses('::/0')], ports: [NetworkPort.tcp(443)] };

/**
 * The API server listens on either, behind the port 443 of its Service. Anybody, and not any address: for Cilium ranges of addresses do not hold the
 * nodes of the cluster, where it runs.
 */
const API_SERVER: AllowedTraffic = { peers: [NetworkPeer.anywhere()], ports: [NetworkPort.tcp(443), NetworkPort.tcp(6443)] };

/** Ports of a driver's web UI, and of the JMX exporter unless an application says otherwise. */
const WEB_UI = NetworkPort.tcp(4040);
const JMX_EXPORTER = NetworkPort.tcp(8090);

/**
 * Lists of nobody, which a NetworkPolicy would take for everybody.
 * @internal
 */
export function networkViolations({ dns, apiServer, egress = [], ingress = [], webUiFrom, metricsFrom }: JobNamespaceNetwork = {}): Violation[] {
  return [
    ...(dns ? trafficViolations('network.dns', dns) : []),
    ...(apiServer ? trafficViolations('network.apiServer', apiServer) : []),
    ...emptyViolations({ 'network.webUiFrom': webUiFrom, 'network.metricsFrom': metricsFrom }),
    ...Object.entries({ egress, ingress }).flatMap(([prop, rules]) => rules.flatMap((traffic, index) => trafficViolations(`network.${prop}[${index}]`, traffic))),
  ];
}

/**
 * Traffic with nobody, which a NetworkPolicy would take for everybody.
 * @internal
 */
export function trafficViolations(path: string, { peers, ports }: AllowedTraffic): Violation[] {
  return emptyViolations({ [`${path}.peers`]: peers, [`${path}.ports`]: ports });
}

function emptyViolations(lists: { readonly [path: string]: readonly unknown[] | undefined }): Violation[] {
  return Object.entries(lists).filter(([, list]) => list?.length === 0).map(([path]) => ({ path, value: undefined, reason: 'is empty; leave it out, or name somebody: NetworkPeer.anywhere() is everybody' }));
}

/**
 * Nothing goes in or out of a namespace but what Spark needs and what is allowed besides. Policies add up: each lets through a little more.
 *
 * Executors listen on ports that they choose themselves, so that Spark's pods reach each other on all ports. One policy for all applications cannot
 * tell them apart: a selector cannot say «the same value of a label as the other end».
 * @internal
 */
export function isolate(scope: Construct, namespace: string, network: JobNamespaceNetwork): void {
  const policy = (id: string, name: string, rest: Omit<Policy, 'name' | 'namespace'>) => networkPolicy(scope, id, { name, namespace, ...rest });
  policy('DenyAll', 'spark-default-deny', { pods: {}, ingress: [], egress: [] });
  policy('Dns', 'spark-dns', { pods: {}, egress: [network.dns ?? DNS] });
  policy('WithinSpark', 'spark-internal', { pods: SPARK_PODS, ingress: [WITHIN], egress: [WITHIN] });
  policy('ApiServer', 'spark-api-server', { pods: DRIVERS, egress: [network.apiServer ?? API_SERVER] });
  const egress = network.egress ?? [HTTPS];
  if (egress.length > 0) policy('Egress', 'spark-egress', { pods: SPARK_PODS, egress });
  if (network.webUiFrom) policy('WebUi', 'spark-web-ui', { pods: DRIVERS, ingress: [{ peers: network.webUiFrom, ports: [WEB_UI] }] });
  if (network.metricsFrom) policy('Metrics', 'spark-metrics', { pods: SPARK_PODS, ingress: [{ peers: network.metricsFrom, ports: [JMX_EXPORTER, WEB_UI] }] });
  if (network.ingress?.length) policy('Ingress', 'spark-ingress', { pods: SPARK_PODS, ingress: network.ingress });
}
