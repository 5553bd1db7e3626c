import { ServiceType } from '../api/driver-exposure';
import { IngressTls } from '../k8s';

/** Common settings of Services and Ingresses of a driver. */
export interface DriverServiceOptions {
  /**
   * Name of the Service's port.
   *
   * @default - `spark-driver-ui-port` for the web UI, else `driver-ing-<port>`
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
   * A URL with a path needs a controller that removes the path. For ingress-nginx, the operator
   * adds the annotation `nginx.ingress.kubernetes.io/rewrite-target` with the value `/$2`, unless
   * it is set here. An empty value gives the Ingress a plain path of type Prefix and no such
   * annotation, for other controllers.
   *
   * @default - the operator's
   */
  readonly ingressAnnotations?: { [key: string]: string };

  /**
   * TLS of the Ingress, in place of the operator's. The TLS of an HTTPRoute is configured at its
   * Gateway.
   *
   * @default - the operator's
   */
  readonly ingressTls?: IngressTls[];
}

/**
 * Exposes Spark's web UI while the driver runs: by a Service, and by an Ingress (or HTTPRoute) if
 * the operator has a format for URLs.
 */
export interface SparkUIOptions extends DriverServiceOptions {
  /**
   * Port of the Service.
   *
   * @default - the port of the UI itself: `spark.ui.port`, else 4040
   */
  readonly port?: number;
}

/** Exposes another port of the driver: by a Service and, with a URL, an Ingress (or HTTPRoute). */
export interface DriverIngress extends DriverServiceOptions {
  /** Port of the driver and of its Service. */
  readonly port: number;

  /**
   * URL of the Ingress, such as `{{$appName}}.example.org`; the operator replaces `{{$appName}}`,
   * `{{$appNamespace}}` and `{{$appId}}` by those of the application. A path is removed from
   * requests, as for the web UI.
   *
   * @default - no Ingress
   */
  readonly url?: string;
}
