import { OperatorAccountProps } from './operator-account';
import { OperatorResources } from './operator-pod';
import { ServiceIngress, ServiceRoute } from './service-exposure';

/**
 * A read-only web page with the applications of the job namespaces; with `namespaceSelector` and
 * `allNamespaces`, of all namespaces. It requires a bearer token of the cluster, and shows each
 * user what the cluster's RBAC allows them to read. A Service exposes it in the cluster, and
 * `ingress` or `httpRoute` with TLS outside. Unset props, such as image and node selector, default
 * to those of the operator's pods. Its service account can read the objects that the console
 * shows, and review tokens and permissions of users.
 */
export interface OperatorConsole extends OperatorAccountProps {
  /**
   * Display name of the cluster.
   *
   * @default cluster
   */
  readonly clusterName?: string;

  /**
   * URL of the History Server for users' browsers, such as `https://history.example.org`. The
   * page of an application links to it.
   *
   * @default - no links
   */
  readonly historyServerUrl?: string;

  /**
   * Further host names of the console, such as that of your own proxy: `spark.example.org`.
   * Requests with other names are rejected (DNS rebinding), except for addresses, localhost, the
   * names of the Service, and the hosts of `ingress` and `httpRoute`.
   *
   * @default - no others
   */
  readonly hosts?: string[];

  /**
   * Secret in the operator's namespace with `tls.crt` and `tls.key`, with which the console serves
   * HTTPS itself.
   *
   * @default - plain HTTP; requests contain bearer tokens, so only a proxy that terminates TLS
   * should reach it
   */
  readonly tlsSecretName?: string;

  /**
   * An Ingress. Requests contain bearer tokens, so it needs TLS. With `tlsSecretName` of the
   * console, the controller must call the Service with HTTPS, for most of them by an annotation.
   *
   * @default - none
   */
  readonly ingress?: ServiceIngress;

  /**
   * An HTTPRoute of the Gateway API. Requests contain bearer tokens, so the listener needs TLS.
   * With `tlsSecretName` of the console, the Gateway needs a BackendTLSPolicy.
   *
   * @default - none
   */
  readonly httpRoute?: ServiceRoute;

  /**
   * Number of replicas. All of them serve. Several replicas are spread over nodes and zones, and
   * have a PodDisruptionBudget.
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * CPU and memory of each replica.
   *
   * @default - requests of 0.05 CPU and 128 MiB, a limit of 512 MiB
   */
  readonly resources?: OperatorResources;
}
