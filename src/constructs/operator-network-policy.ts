import { AllowedTraffic, NetworkPeer } from './network-peer';

/** What the network lets through to and from the operator. Whatever is not named is not let through. */
export interface OperatorNetworkPolicy {
  /**
   * Who may read the metrics.
   *
   * @default - all pods of the cluster
   */
  readonly metricsFrom?: NetworkPeer[];

  /**
   * Who may ask whether the operator is well, besides the kubelet: Kubernetes always lets a pod's own node through.
   *
   * @default - nobody
   */
  readonly healthFrom?: NetworkPeer[];

  /**
   * Who may reach the webhook: the API server, which has no pods whose labels could be named. What counts are the addresses of its machines. Without effect if there is no webhook.
   *
   * @default - anybody
   */
  readonly webhookFrom?: NetworkPeer[];

  /**
   * Who may reach the console: the pods of an Ingress controller or a Gateway, say. For a load balancer that has no pods name its addresses. Without effect if there is no console.
   *
   * @default - all pods of the cluster
   */
  readonly consoleFrom?: NetworkPeer[];

  /**
   * Where the API server is. It has no pods whose labels could be named; what counts are its addresses behind the Service `kubernetes`.
   *
   * @default - anywhere
   */
  readonly apiServer?: NetworkPeer[];

  /**
   * Ports of the API server.
   *
   * @default - 443 and 6443
   */
  readonly apiServerPorts?: number[];

  /**
   * Where names are resolved, at the ports 53 and, as on OpenShift, 5353.
   *
   * @default - anywhere
   */
  readonly dns?: NetworkPeer[];

  /**
   * What else the operator may reach: what spark-submit uploads to or loads from, or a proxy.
   *
   * @default - nothing
   */
  readonly egressTo?: AllowedTraffic[];
}
