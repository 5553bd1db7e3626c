import { OperatorResources } from './operator-pod';

/**
 * A web page with the applications of the job namespaces, which changes nothing. With `namespaceSelector` and `allNamespaces` it has those of all namespaces. It asks for a bearer token of the
 * cluster, and shows each user what the cluster's RBAC lets them read. A Service leads to it; an Ingress or a Gateway in front of it, with TLS, is yours to make. All that is not said
 * here, such as image and node selector, is as with the operator's pods.
 */
export interface OperatorConsole {
  /**
   * What the page calls the cluster.
   *
   * @default cluster
   */
  readonly clusterName?: string;

  /**
   * Names by which browsers reach the console, such as that of its Ingress: `spark.example.org`.
   * Requests with other names are refused (DNS rebinding), except for addresses, localhost and the
   * names of the Service.
   *
   * @default - no others
   */
  readonly hosts?: string[];

  /**
   * Secret of the operator's namespace with `tls.crt` and `tls.key`, with which the console serves HTTPS itself.
   *
   * @default - it serves HTTP: bearer tokens go over it, so that only what terminates TLS should reach it
   */
  readonly tlsSecretName?: string;

  /**
   * How many replicas there are. All of them serve. With more than one they are spread over nodes and zones, and have a PodDisruptionBudget.
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * CPU and memory of each replica.
   *
   * @default - 0.05 CPU and 128 MiB reserved, 512 MiB at most
   */
  readonly resources?: OperatorResources;

  /**
   * Name of the service account, which is created. It may read what the console shows, and ask the API server who somebody is and what they may.
   *
   * @default spark-operator-console
   */
  readonly serviceAccountName?: string;
}
