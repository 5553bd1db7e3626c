import type { IngressTls } from '../k8s';

/** Types of a Service, named as in Kubernetes. */
export enum ServiceType {
  /** Reachable within the cluster. */
  CLUSTER_IP = 'ClusterIP',
  /** Also reachable on a port of each node. */
  NODE_PORT = 'NodePort',
  /** Also reachable through a load balancer of the cloud. */
  LOAD_BALANCER = 'LoadBalancer',
}

/**
 * Access to Spark's web UI. While a driver exists, the operator keeps a Service
 * `<application>-ui-svc` for it. If `--ingress-url-format` is set, the operator also keeps an
 * Ingress `<application>-ui-ingress` or an HTTPRoute `<application>-ui-route`. The status names
 * them. They are deleted when the driver has ended.
 */
export interface SparkUIConfiguration {
  /**
   * Port of the UI's Service.
   * @default - the port of the UI itself: `spark.ui.port`, else 4040
   * @minimum 1
   * @maximum 65535
   */
  readonly servicePort?: number;
  /**
   * Name of that port.
   * @default spark-driver-ui-port
   */
  readonly servicePortName?: string;
  /**
   * Type of the UI's Service.
   * @default ServiceType.CLUSTER_IP
   * @emptyIsUnset
   */
  readonly serviceType?: ServiceType;
  /**
   * Annotations of the UI's Service.
   * @default - none
   */
  readonly serviceAnnotations?: { [key: string]: string };
  /**
   * Labels of the UI's Service.
   * @default - none
   */
  readonly serviceLabels?: { [key: string]: string };
  /**
   * Annotations of the UI's Ingress or HTTPRoute, in place of the operator's.
   *
   * A URL with a path needs a controller that removes the path. The operator adds the annotation of
   * ingress-nginx for it, `nginx.ingress.kubernetes.io/rewrite-target`, with the value `/$2`. If
   * you set it here, your value applies. With an empty value the Ingress suits other controllers:
   * it has the plain path of type Prefix, and no such annotation.
   *
   * @default - the operator's
   */
  readonly ingressAnnotations?: { [key: string]: string };
  /**
   * TLS of the UI's Ingress, in place of the operator's. An HTTPRoute's TLS is that of its Gateway.
   * @default - the operator's
   */
  readonly ingressTLS?: IngressTls[];
}

/**
 * Access to another port of the driver: a Service `<application>-driver-<port>` and, with a URL, an
 * Ingress `<application>-ing-<port>` or an HTTPRoute.
 */
export interface DriverIngressConfiguration {
  /**
   * Port of the driver and of its Service.
   * @minimum 1
   * @maximum 65535
   */
  readonly servicePort: number;
  /** Name of that port. */
  readonly servicePortName: string;
  /**
   * Type of the Service.
   * @default ServiceType.CLUSTER_IP
   * @emptyIsUnset
   */
  readonly serviceType?: ServiceType;
  /**
   * Annotations of the Service.
   * @default - none
   */
  readonly serviceAnnotations?: { [key: string]: string };
  /**
   * Labels of the Service.
   * @default - none
   */
  readonly serviceLabels?: { [key: string]: string };
  /**
   * URL of the Ingress, such as `{{$appName}}.example.org`. The operator replaces `{{$appName}}`,
   * `{{$appNamespace}}` and `{{$appId}}` with the application's values. A path is removed from
   * requests, as for the web UI.
   * @default - no Ingress
   * @maxLength 2048
   */
  readonly ingressURLFormat?: string;
  /**
   * Annotations of the Ingress or HTTPRoute, in place of the operator's; see
   * `sparkUIOptions.ingressAnnotations`.
   * @default - the operator's
   */
  readonly ingressAnnotations?: { [key: string]: string };
  /**
   * TLS of the Ingress, in place of the operator's. An HTTPRoute's TLS is that of its Gateway.
   * @default - the operator's
   */
  readonly ingressTLS?: IngressTls[];
}
