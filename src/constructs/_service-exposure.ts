import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { found, wrongName } from '../rules/names';
import type { ServiceIngress, ServiceRoute } from './service-exposure';
import type { Problem } from '../model/problem';

/**
 * Access to a Service from outside the cluster.
 * @internal
 */
export interface ServiceExposure {
  readonly ingress?: ServiceIngress;
  readonly httpRoute?: ServiceRoute;
}

/**
 * Service that is exposed.
 * @internal
 */
export interface ExposedService {
  readonly name: string;
  readonly namespace: string | undefined;
  /** Name of its port, for an Ingress. */
  readonly portName: string;
  readonly port: number;
  /** Labels of the created objects. */
  readonly labels: { readonly [key: string]: string };
}

/**
 * Adds the Ingress or HTTPRoute of a Service, with the name of the Service.
 *
 * @param prefix prefix of the IDs of constructs
 * @internal
 */
export function exposeService(
  scope: Construct, prefix: string, { name, namespace, portName, port, labels }: ExposedService, { ingress, httpRoute }: ServiceExposure,
): void {
  const metadata = (annotations: { [key: string]: string } | undefined) => ({
    name, namespace, labels, ...(annotations && { annotations }),
  });
  if (ingress) {
    new ApiObject(scope, `${prefix}Ingress`, {
      apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: metadata(ingress.annotations),
      spec: ingressSpec(name, portName, ingress),
    });
  }
  if (httpRoute) {
    new ApiObject(scope, `${prefix}HttpRoute`, {
      apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: metadata(httpRoute.annotations), spec: routeSpec(name, port, httpRoute),
    });
  }
}

function ingressSpec(name: string, portName: string, { host, ingressClassName, tlsSecretName: secretName }: ServiceIngress): object {
  const backend = { service: { name, port: { name: portName } } };
  return {
    ...(ingressClassName !== undefined && { ingressClassName }),
    rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    ...(secretName !== undefined && { tls: [{ hosts: [host], secretName }] }),
  };
}

function routeSpec(service: string, port: number, { gateways, hosts }: ServiceRoute): object {
  return {
    parentRefs: gateways.map(({ name, namespace, sectionName }) => ({
      name, namespace, ...(sectionName !== undefined && { sectionName }),
    })),
    ...(hosts && { hostnames: hosts }),
    rules: [{ backendRefs: [{ name: service, port }] }],
  };
}

/**
 * Returns the problems of the props.
 *
 * @param prefix path of the props, with a dot at its end
 * @internal
 */
export function exposureViolations(prefix: string, { ingress, httpRoute }: ServiceExposure): Problem[] {
  return found([
    ingress && httpRoute ? {
      path: `${prefix}httpRoute`, value: undefined, reason: 'has the same purpose as ingress; leave one of them out',
    } : undefined,
    wrongName(`${prefix}ingress.host`, ingress?.host),
    wrongName(`${prefix}ingress.ingressClassName`, ingress?.ingressClassName),
    wrongName(`${prefix}ingress.tlsSecretName`, ingress?.tlsSecretName),
    httpRoute?.gateways.length === 0 ? {
      path: `${prefix}httpRoute.gateways`, value: undefined, reason: 'is empty; add the Gateway to which it is attached',
    } : undefined,
  ]);
}
