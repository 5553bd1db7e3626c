import { NetworkPeer } from './network-peer';

/** Allowed network traffic of the operator. All other traffic is blocked. */
export interface OperatorNetworkPolicy {
  /**
   * Peers that can read the metrics.
   *
   * @default - all pods of the cluster
   */
  readonly metricsFrom?: NetworkPeer[];

  /**
   * Peers that can call the health probes, in addition to the kubelet: Kubernetes always allows
   * traffic from a pod's own node.
   *
   * @default - none
   */
  readonly healthFrom?: NetworkPeer[];

  /**
   * Peers that can call the webhook: the API server. It has no pods with labels, so use the
   * addresses of its machines. Has no effect without a webhook.
   *
   * @default - all
   */
  readonly webhookFrom?: NetworkPeer[];

  /**
   * Peers that can call the console, such as the pods of an Ingress controller or a Gateway. For a
   * load balancer without pods, use its addresses. Has no effect without a console.
   *
   * @default - all pods of the cluster
   */
  readonly consoleFrom?: NetworkPeer[];

  /**
   * Addresses of the API server behind the Service `kubernetes`. It has no pods with labels.
   *
   * @default - all
   */
  readonly apiServer?: NetworkPeer[];

  /**
   * Ports of the API server.
   *
   * @default - 443 and 6443
   */
  readonly apiServerPorts?: number[];

  /**
   * DNS servers, at the ports 53 and, as on OpenShift, 5353.
   *
   * @default - all
   */
  readonly dns?: NetworkPeer[];
}
