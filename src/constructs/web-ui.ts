import { missing, rejectArguments } from '../props/_check';
import { checkArguments, object, text, texts } from '../props/_prop-types';
import { IngressTls } from '../k8s';
import { isSubdomain } from '../rules/names';

/** Settings of Ingresses for web UIs. */
export interface IngressWebUIProps {
  /**
   * URL of the web UI of an application, such as `{{$appName}}.spark.example.org` or
   * `spark.example.org/{{$appNamespace}}/{{$appName}}`. The operator replaces `{{$appName}}`,
   * `{{$appNamespace}}` and `{{$appId}}` by those of the application.
   */
  readonly urlFormat: string;

  /**
   * Class of the Ingresses.
   *
   * @default - the cluster's default class
   */
  readonly ingressClassName?: string;

  /**
   * TLS of Ingresses, for applications that set none.
   *
   * @default - none
   */
  readonly tls?: IngressTls[];

  /**
   * Annotations of Ingresses, for applications that set none.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** A Gateway of the Gateway API, or one of its listeners. */
export interface GatewayReference {
  /** Namespace of the Gateway. It must allow routes of the job namespaces (`allowedRoutes`). */
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

/** Settings of HTTPRoutes for web UIs. */
export interface GatewayWebUIProps {
  /**
   * URL of the web UI of an application, such as `{{$appName}}.spark.example.org` or
   * `spark.example.org/{{$appNamespace}}/{{$appName}}`. The operator replaces `{{$appName}}`,
   * `{{$appNamespace}}` and `{{$appId}}` by those of the application.
   */
  readonly urlFormat: string;

  /** Gateways to which the HTTPRoutes are attached. */
  readonly gateways: GatewayReference[];

  /**
   * Annotations of HTTPRoutes, for applications that set none.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/**
 * Access to the web UIs of drivers, while the drivers run.
 *
 * Ingresses or HTTPRoutes also expose the ports in `driverIngressOptions` of applications, if
 * `driverIngress` of the operator is enabled.
 */
export class WebUI {
  /**
   * Creates a Service for the web UI of each driver, and an Ingress with a URL.
   *
   * Authors of applications choose annotations and TLS Secrets of their Ingresses
   * (`sparkUIOptions`), and by annotations they configure the controller. Where tenants must not do
   * that, use `byGateway`, or make the controller reject annotations, and enforce
   * `sparkUIOptions.ingressTLS` in the ConfigMap with defaults and limits of the operator's
   * namespace.
   */
  public static byIngress(props: IngressWebUIProps): WebUI {
    const { props: valid } = checkArguments('WebUI.byIngress', { props }, { props: { urlFormat: text, ingressClassName: text, tls: [object], annotations: texts } });
    return new WebUI([
      `--ingress-url-format=${checkedFormat('byIngress', valid.urlFormat)}`,
      ...(valid.ingressClassName === undefined ? [] : [`--ingress-class-name=${valid.ingressClassName}`]),
      ...(valid.tls?.length ? [`--ingress-tls=${JSON.stringify(valid.tls)}`] : []),
      ...annotationFlags(valid.annotations),
    ]);
  }

  /**
   * Creates a Service for the web UI of each driver, and an HTTPRoute with a URL. The cluster needs
   * the Gateway API.
   */
  public static byGateway(props: GatewayWebUIProps): WebUI {
    const { props: valid } = checkArguments('WebUI.byGateway', { props }, {
      props: { urlFormat: text, gateways: [{ namespace: text, name: text, sectionName: text }], annotations: texts },
    });
    if (!valid.gateways?.length) {
      throw new Error('WebUI.byGateway: gateways is empty; add the Gateway to which the HTTPRoutes are attached');
    }
    const gateways = valid.gateways.map(({ namespace, name, sectionName }) => [
      namespace, name, ...(sectionName === undefined ? [] : [sectionName]),
    ].map((part) => {
      if (isSubdomain(part ?? '')) return part;
      throw new Error(
        `WebUI.byGateway: gateways has ${JSON.stringify(part)}, which cannot be a name: use lower-case letters, digits, '-' and '.'`,
      );
    }).join('/'));
    return new WebUI([
      `--ingress-url-format=${checkedFormat('byGateway', valid.urlFormat)}`,
      `--ui-gateway=${gateways.join(',')}`,
      ...annotationFlags(valid.annotations),
    ]);
  }

  /**
   * Creates a Service for the web UI of each driver, which is reachable in the cluster, or by
   * `kubectl port-forward`.
   */
  public static byService(): WebUI {
    return new WebUI([]);
  }

  /** Creates nothing for web UIs. */
  public static none(): WebUI {
    return new WebUI(['--enable-ui-service=false']);
  }

  private constructor(private readonly flags: string[]) {}

  /**
   * Returns the operator's flags.
   *
   * @internal
   */
  public _toFlags(): string[] {
    return this.flags;
  }
}

const VARIABLE = /{{\s*(.*?)\s*}}/g;

function checkedFormat(factory: string, format: string): string {
  rejectArguments(`WebUI.${factory}`, [missing('urlFormat', format)]);
  const reject = (reason: string) => new Error(`WebUI.${factory}: urlFormat is ${JSON.stringify(format)}; ${reason}`);
  if (/\s/.test(format.replace(VARIABLE, 'x').trim())) throw reject('a URL must not contain spaces');
  const variables = [...format.matchAll(VARIABLE)].map(([, name]) => name!);
  const unknown = variables.find((name) => !['$appName', '$appNamespace', '$appId'].includes(name));
  if (unknown !== undefined) throw reject(`${JSON.stringify(unknown)} is not a variable: use $appName, $appNamespace or $appId`);
  if (!variables.some((name) => name !== '$appNamespace')) throw reject('all applications would have the same URL: add {{$appName}} to it');
  return format.replace(VARIABLE, '{{$1}}').trim();
}

function annotationFlags(annotations: { [key: string]: string } = {}): string[] {
  return Object.keys(annotations).length === 0 ? [] : [`--ingress-annotations=${JSON.stringify(annotations)}`];
}
