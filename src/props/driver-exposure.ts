import { ServiceType } from '../api/driver-exposure';
import { IngressTls } from '../k8s';

/** What Services and Ingresses of a driver have in common. */
export interface DriverServiceOptions {
  /**
   * Name of the Service's port.
   *
   * @default - `spark-driver-ui-port` of the web UI, else `driver-ing-<port>`
   */
  readonly portName?: string;

  /**
   * Type of the Service.
   *
   * @default ServiceType.CLUSTER_IP
   */
  readonly serviceType?: ServiceType;

  /**
   * Annotations of the Service.
   *
   * @default - none
   */
  readonly serviceAnnotations?: { [key: string]: string };

  /**
   * Labels of the Service.
   *
   * @default - none
   */
  readonly serviceLabels?: { [key: string]: string };

  /**
   * Annotations of the Ingress or HTTPRoute, in place of the operator's.
   *
   * A URL with a path needs a controller that takes the path off. The annotation of ingress-nginx for it,
   * `nginx.ingress.kubernetes.io/rewrite-target`, is added with the value `/$2`, unless it is here: then it is left as it is. With an empty value the Ingress is
   * one for other controllers: it has the plain path, of type Prefix, and no such annotation.
   *
   * @default - the operator's
   */
  readonly ingressAnnotations?: { [key: string]: string };

  /**
   * TLS of the Ingress, in place of the operator's. Of an HTTPRoute it is up to the Gateway.
   *
   * @default - the operator's
   */
  readonly ingressTls?: IngressTls[];
}

/**
 * How Spark's web UI is reached while the driver runs: by a Service, and by an Ingress (or HTTPRoute) if the operator has a format for URLs.
 */
export interface SparkUIOptions extends DriverServiceOptions {
  /**
   * Port of the Service.
   *
   * @default - the port of the UI itself: `spark.ui.port`, else 4040
   */
  readonly port?: number;
}

/** How another port of the driver is reached: by a Service and, if it has a URL, an Ingress (or HTTPRoute). */
export interface DriverIngress extends DriverServiceOptions {
  /** Port of the driver and of its Service. */
  readonly port: number;

  /**
   * URL of the Ingress, such as `{{$appName}}.example.org`; `{{$appName}}`, `{{$appNamespace}}` and `{{$appId}}` stand for those of the application.
   * A path is taken off on the way, as for the web UI.
   *
   * @default - no Ingress
   */
  readonly url?: string;
}
