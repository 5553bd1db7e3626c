import { IngressTls } from '../k8s';

/** How web UIs are reached by Ingresses. */
export interface IngressWebUIProps {
  /**
   * URL of the web UI of an application, in which `{{$appName}}`, `{{$appNamespace}}` and `{{$appId}}` stand for those of the application, such as
   * `{{$appName}}.spark.example.org` or `spark.example.org/{{$appNamespace}}/{{$appName}}`.
   */
  readonly urlFormat: string;

  /**
   * Class of the Ingresses.
   *
   * @default - the cluster's default class
   */
  readonly ingressClassName?: string;

  /**
   * TLS of Ingresses of applications that do not say it themselves.
   *
   * @default - none
   */
  readonly tls?: IngressTls[];

  /**
   * Annotations of Ingresses of applications that have none of their own.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** A Gateway of the Gateway API, or one of its listeners. */
export interface GatewayReference {
  /** Namespace of the Gateway. It has to let routes of the job namespaces attach (`allowedRoutes`). */
  readonly namespace: string;

  /** Name of the Gateway. */
  readonly name: string;

  /**
   * Name of one of its listeners.
   *
   * @default - all of them
   */
  readonly sectionName?: string;
}

/** How web UIs are reached by HTTPRoutes. */
export interface GatewayWebUIProps {
  /**
   * URL of the web UI of an application, in which `{{$appName}}`, `{{$appNamespace}}` and `{{$appId}}` stand for those of the application, such as
   * `{{$appName}}.spark.example.org` or `spark.example.org/{{$appNamespace}}/{{$appName}}`.
   */
  readonly urlFormat: string;

  /** Where the HTTPRoutes are attached. */
  readonly gateways: GatewayReference[];

  /**
   * Annotations of HTTPRoutes of applications that have none of their own.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/**
 * How the web UIs of drivers are reached, as long as the drivers run.
 *
 * With Ingresses or HTTPRoutes, the ports that applications name in `driverIngressOptions` are reached in the same way, if the operator's `driverIngress` is on.
 */
export class WebUI {
  /**
   * Each driver gets a Service for its web UI, and an Ingress that leads a URL to it.
   *
   * Authors of applications choose annotations and TLS Secrets of their Ingresses (`sparkUIOptions`), and by annotations what the controller does. Where tenants
   * must not, take `byGateway`, or let the controller refuse annotations, and enforce `sparkUIOptions.ingressTLS` in the ConfigMap with defaults and limits of
   * the operator's namespace.
   */
  public static byIngress(props: IngressWebUIProps): WebUI {
    return new WebUI([
      `--ingress-url-format=${checkedFormat('byIngress', props.urlFormat)}`,
      ...(props.ingressClassName === undefined ? [] : [`--ingress-class-name=${props.ingressClassName}`]),
      ...(props.tls?.length ? [`--ingress-tls=${JSON.stringify(props.tls)}`] : []),
      ...annotationFlags(props.annotations),
    ]);
  }

  /** Each driver gets a Service for its web UI, and an HTTPRoute that leads a URL to it. The cluster needs the Gateway API. */
  public static byGateway(props: GatewayWebUIProps): WebUI {
    if (props.gateways.length === 0) throw new Error('WebUI.byGateway: gateways is empty; name the Gateway to which the HTTPRoutes are attached');
    const gateways = props.gateways.map(({ namespace, name, sectionName }) => [namespace, name, ...(sectionName === undefined ? [] : [sectionName])].map((part) => {
      if (NAME.test(part)) return part;
      throw new Error(`WebUI.byGateway: gateways has ${JSON.stringify(part)}, which cannot be a name: use lower-case letters, digits, '-' and '.'`);
    }).join('/'));
    return new WebUI([
      `--ingress-url-format=${checkedFormat('byGateway', props.urlFormat)}`,
      `--ui-gateway=${gateways.join(',')}`,
      ...annotationFlags(props.annotations),
    ]);
  }

  /** Each driver gets a Service for its web UI, which is reached from within the cluster, or by `kubectl port-forward`. */
  public static byService(): WebUI {
    return new WebUI([]);
  }

  /** The operator does nothing for web UIs. */
  public static none(): WebUI {
    return new WebUI(['--enable-ui-service=false']);
  }

  private constructor(private readonly flags: string[]) {}

  /**
   * The operator's flags for it.
   *
   * @internal
   */
  public _toFlags(): string[] {
    return this.flags;
  }
}

/** The name of most objects (DNS-1123 subdomain). */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const VARIABLE = /{{\s*(.*?)\s*}}/g;

function checkedFormat(factory: string, format: string): string {
  const refuse = (reason: string) => new Error(`WebUI.${factory}: urlFormat is ${JSON.stringify(format)}; ${reason}`);
  if (/\s/.test(format.replace(VARIABLE, 'x').trim())) throw refuse('a URL has no spaces');
  const variables = [...format.matchAll(VARIABLE)].map(([, name]) => name!);
  const unknown = variables.find((name) => !['$appName', '$appNamespace', '$appId'].includes(name));
  if (unknown !== undefined) throw refuse(`${JSON.stringify(unknown)} stands for nothing: there are $appName, $appNamespace and $appId`);
  if (!variables.some((name) => name !== '$appNamespace')) throw refuse('all applications would have the same URL: write {{$appName}} in it');
  return format.replace(VARIABLE, '{{$1}}').trim();
}

function annotationFlags(annotations: { [key: string]: string } = {}): string[] {
  return Object.keys(annotations).length === 0 ? [] : [`--ingress-annotations=${JSON.stringify(annotations)}`];
}
