import { GatewayReference } from './web-ui';

/** An Ingress for a Service. */
export interface ServiceIngress {
  /** Host name of the Ingress. */
  readonly host: string;

  /**
   * Class of the Ingress.
   *
   * @default - the cluster's default class
   */
  readonly ingressClassName?: string;

  /**
   * Name of a Secret with the certificate of the host.
   *
   * @default - no TLS
   */
  readonly tlsSecretName?: string;

  /**
   * Annotations of the Ingress. For most controllers, they configure authentication.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** An HTTPRoute of the Gateway API for a Service. */
export interface ServiceRoute {
  /** Gateways to which it is attached. */
  readonly gateways: GatewayReference[];

  /**
   * Host names of the route.
   *
   * @default - those of the Gateway
   */
  readonly hosts?: string[];

  /**
   * Annotations of the HTTPRoute.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}
