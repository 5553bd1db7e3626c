import type { OwnMetadata } from './own-metadata';
import type { IngressSettings } from './settings';
import { objectName } from '../../api/object-name';
import type { IngressTls } from '../../k8s';
import type { HttpRoute, Ingress, Service, StringMap } from '../../model/kubernetes-objects';
import { ingressUrl, urlText, type IngressUrl } from '../../plan/properties/ingress-url';
import type { ObjectMeta } from '../../kube/objects';

/** How a Service of the driver is to be reached from outside. */
export interface Exposure {
  /** What the name of the Ingress ends in, and that of the HTTPRoute. */
  readonly suffix: { readonly ingress: string; readonly route: string };
  readonly service: Service;
  readonly urlFormat: string;
  /** Those of the application; without any, the operator's. */
  readonly annotations?: StringMap;
  readonly tls?: readonly IngressTls[];
}

/** What leads a URL to a Service. */
export interface Route {
  readonly object: Ingress | HttpRoute;
  /** The URL for people. */
  readonly address: string;
}

/** Whose driver is reached. */
export interface Exposed {
  readonly name: string;
  readonly namespace: string;
  /** Spark's id of the application; empty if it has none. */
  readonly appId: string;
  /** What an object of it says about itself. */
  readonly metadataOf: (name: string, own: OwnMetadata) => ObjectMeta;
}

/** An Ingress, or where there are Gateways an HTTPRoute, that leads a URL to a Service of a driver. */
export function routeOf(exposed: Exposed, exposure: Exposure, settings: IngressSettings): Route {
  const { name, namespace, appId } = exposed;
  const url = ingressUrl(exposure.urlFormat, { appName: name, appNamespace: namespace, appId });
  const annotations = orDefault(exposure.annotations, settings.annotations);
  if (settings.gateways?.length) {
    return { object: httpRoute(exposed, exposure, url, annotations, settings), address: urlText(url, 'http') };
  }
  const tls = exposure.tls?.length ? exposure.tls : settings.tls ?? [];
  return { object: ingress(exposed, exposure, url, { ...settings, annotations, tls }, settings.annotations), address: urlText(url, tls.length > 0 ? 'https' : 'http') };
}

/** How ingress-nginx is told to take a path off. */
const REWRITE_TARGET = 'nginx.ingress.kubernetes.io/rewrite-target';

/**
 * The driver serves at `/`, so that a path has to be taken off on the way. Ingresses have no words for this; those of ingress-nginx are written unless
 * the annotations say otherwise: one of the same name is left as it is, and an empty one stands for other controllers, which have a path
 * taken off by annotations or objects of their own.
 */
function ingress(exposed: Exposed, { suffix, service }: Exposure, { host, path }: IngressUrl, settings: IngressSettings, byDefault: StringMap = {}): Ingress {
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
  exposed: Exposed, { suffix, service }: Exposure, { host, path }: IngressUrl, annotations: StringMap | undefined, { gateways }: IngressSettings,
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
        ...path && { filters: [{ type: 'URLRewrite' as const, urlRewrite: { path: { type: 'ReplacePrefixMatch' as const, replacePrefixMatch: '/' } } }] },
        backendRefs: [{ name: service.metadata.name, port: service.spec.ports[0]!.port }],
      }],
    },
  };
}

function orDefault(own: StringMap | undefined, byDefault: StringMap | undefined): StringMap | undefined {
  return own && Object.keys(own).length > 0 ? own : byDefault;
}

/** What is only for Ingresses says nothing on an HTTPRoute. */
function withoutRewrite(annotations: StringMap = {}): StringMap {
  const { [REWRITE_TARGET]: _, ...others } = annotations;
  return others;
}
