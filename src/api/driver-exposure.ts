import type { IngressTls } from '../k8s';

/** How a Service is reached. The words are Kubernetes' own. */
export enum ServiceType {
  /** From within the cluster. */
  CLUSTER_IP = 'ClusterIP',
  /** Also on a port of each node. */
  NODE_PORT = 'NodePort',
  /** Also through a load balancer of the cloud. */
  LOAD_BALANCER = 'LoadBalancer',
}

/**
 * How Spark's web UI is reached. While there is a driver, the operator keeps a Service `<application>-ui-svc` for it and, if the operator has an
 * `--ingress-url-format`, an Ingress `<application>-ui-ingress` (or an HTTPRoute `<application>-ui-route`). The status names them. They go when the driver has ended.
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
   * A URL with a path needs a controller that takes the path off. The annotation of ingress-nginx for it,
   * `nginx.ingress.kubernetes.io/rewrite-target`, is added with the value `/$2`, unless it is here: then it is left as it is. With an empty value the Ingress is
   * one for other controllers: it has the plain path, of type Prefix, and no such annotation.
   *
   * @default - the operator's
   */
  readonly ingressAnnotations?: { [key: string]: string };
  /**
   * TLS of the UI's Ingress, in place of the operator's. Of an HTTPRoute it is up to the Gateway.
   * @default - the operator's
   */
  readonly ingressTLS?: IngressTls[];
}

/** How another port of the driver is reached: by a Service `<application>-driver-<port>` and, if it has a URL, an Ingress `<application>-ing-<port>` (or an HTTPRoute). */
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
   * URL of the Ingress, such as `{{$appName}}.example.org`; `{{$appName}}`, `{{$appNamespace}}` and `{{$appId}}` stand for those of the application.
   * A path is taken off on the way, as for the web UI.
   * @default - no Ingress
   * @maxLength 2048
   */
  readonly ingressURLFormat?: string;
  /**
   * Annotations of the Ingress or HTTPRoute, in place of the operator's; see `sparkUIOptions.ingressAnnotations`.
   * @default - the operator's
   */
  readonly ingressAnnotations?: { [key: string]: string };
  /**
   * TLS of the Ingress, in place of the operator's. Of an HTTPRoute it is up to the Gateway.
   * @default - the operator's
   */
  readonly ingressTLS?: IngressTls[];
}
