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

/** How Spark's web UI is reached. */
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
   * Annotations of the UI's Ingress.
   * @default - the operator's
   */
  readonly ingressAnnotations?: { [key: string]: string };
  /**
   * TLS of the UI's Ingress.
   * @default - the operator's
   */
  readonly ingressTLS?: IngressTls[];
}

/** How another port of the driver is reached. */
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
   * @default - no Ingress
   * @maxLength 2048
   */
  readonly ingressURLFormat?: string;
  /**
   * Annotations of the Ingress.
   * @default - the operator's
   */
  readonly ingressAnnotations?: { [key: string]: string };
  /**
   * TLS of the Ingress.
   * @default - the operator's
   */
  readonly ingressTLS?: IngressTls[];
}
