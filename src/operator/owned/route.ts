import type { OwnMetadata } from './own-metadata';
import type { IngressSettings } from './settings';
import { objectName } from '../../api/object-name';
import type { IngressTls } from '../../k8s';
import type { HttpRoute, Ingress, Service, StringMap } from '../../model/kubernetes-objects';
import { ingressUrl, urlText, type IngressUrl } from '../../plan/properties/ingress-url';
import type { ObjectMeta } from '../../kube/objects';

/** Route to a Service of the driver from outside. */
export interface Exposure {
  /** Suffix of the name of the Ingress or HTTPRoute. */
  readonly suffix: { readonly ingress: string; readonly route: string };
  readonly service: Service;
  readonly urlFormat: string;
  /** The application's; by default, the operator's. */
  readonly annotations?: StringMap;
  readonly tls?: readonly IngressTls[];
}

/** An Ingress or HTTPRoute with its URL. */
export interface Route {
  readonly object: Ingress | HttpRoute;
  /** URL for users. */
  readonly address: string;
}

/** Application of the driver. */
export interface Exposed {
  readonly name: string;
  readonly namespace: string;
  /** Spark's application ID; empty if there is none. */
  readonly appId: string;
  /** Metadata of its objects. */
  readonly metadataOf: (name: string, own: OwnMetadata) => ObjectMeta;
}

/** Returns an Ingress, or with Gateways an HTTPRoute, for a URL of a driver's Service. */
export function routeOf(exposed: Exposed, exposure: Exposure, settings: IngressSettings): Route {
  const { name, namespace, appId } = exposed;
  const url = ingressUrl(exposure.urlFormat, { appName: name, appNamespace: namespace, appId });
  const annotations = orDefault(exposure.annotations, settings.annotations);
  if (settings.gateways?.length) {
    return { object: httpRoute(exposed, exposure, url, annotations, settings), address: urlText(url, 'http') };
  }
  const tls = exposure.tls?.length ? exposure.tls : settings.tls ?? [];
  return {
    object: ingress(exposed, exposure, url, { ...settings, annotations, tls }, settings.annotations),
    address: urlText(url, tls.length > 0 ? 'https' : 'http'),
  };
}

/** Annotations with which ingress-nginx removes a path. */
const REWRITE_TARGET = 'nginx.ingress.kubernetes.io/rewrite-target';

/**
 * Returns annotations that remove the path prefix: the driver serves at `/`. The Ingress API cannot
 * express this, so these are ingress-nginx's annotations, unless the user's take precedence. An
 * annotation of the same name is kept. An empty one stands in for other controllers, where the
 * user's annotations or objects remove the path.
 */
function ingress(
  exposed: Exposed, { suffix, service }: Exposure, { host, path }: IngressUrl, settings: IngressSettings, byDefault: StringMap = {},
): Ingress {
  const { [REWRITE_TARGET]: ownTarget, ...others } = settings.annotations ?? {};
  const target = ownTarget ?? byDefault[REWRITE_TARGET] ?? '/$2';
  const isForNginx = path !== '' && target !== '';
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: exposed.metadataOf(objectName('Ingress', exposed.name, suffix.ingress), {
      annotations: { ...others, ...(isForNginx ? { [REWRITE_TARGET]: target } : ownTarget ? { [REWRITE_TARGET]: ownTarget } : {}) },
    }),
    spec: {
      ...settings.className && { ingressClassName: settings.className },
      ...settings.tls?.length && { tls: settings.tls },
      rules: [{
        ...host && { host },
        http: {
          paths: [{
            path: isForNginx ? `${path}(/|$)(.*)` : path || '/',
            pathType: path === '' || isForNginx ? 'ImplementationSpecific' : 'Prefix',
            backend: { service: { name: service.metadata.name, port: { number: service.spec.ports[0]!.port } } },
          }],
        },
      }],
    },
  };
}

function httpRoute(
  exposed: Exposed, { suffix, service }: Exposure, { host, path }: IngressUrl, annotations: StringMap | undefined,
  { gateways }: IngressSettings,
): HttpRoute {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: exposed.metadataOf(objectName('HTTPRoute', exposed.name, suffix.route), { annotations: withoutRewrite(annotations) }),
    spec: {
      parentRefs: gateways!,
      ...host && { hostnames: [host] },
      rules: [{
        matches: [{ path: { type: 'PathPrefix', value: path || '/' } }],
        ...path && {
          filters: [
            { type: 'URLRewrite' as const, urlRewrite: { path: { type: 'ReplacePrefixMatch' as const, replacePrefixMatch: '/' } } },
          ],
        },
        backendRefs: [{ name: service.metadata.name, port: service.spec.ports[0]!.port }],
      }],
    },
  };
}

function orDefault(own: StringMap | undefined, byDefault: StringMap | undefined): StringMap | undefined {
  return own && Object.keys(own).length > 0 ? own : byDefault;
}

/** Returns warnings: settings of Ingresses have no effect on an HTTPRoute. */
function withoutRewrite(annotations: StringMap = {}): StringMap {
  const { [REWRITE_TARGET]: _, ...others } = annotations;
  return others;
}
