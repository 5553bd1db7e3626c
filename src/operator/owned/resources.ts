import type { Resource } from '../../kube/resource';
import type { HttpRoute, Ingress, PodDisruptionBudget, Service } from '../../model/kubernetes-objects';
import { HTTP_ROUTES, INGRESSES, POD_DISRUPTION_BUDGETS, SERVICES } from '../../model/resources';

/** An object of an application other than its driver. */
export type OwnedObject = Service | Ingress | HttpRoute | PodDisruptionBudget;

/** Kinds of such objects. */
export const OWNED_RESOURCES: { readonly [kind in OwnedObject['kind']]: Resource<any> } = {
  Service: SERVICES,
  Ingress: INGRESSES,
  HTTPRoute: HTTP_ROUTES,
  PodDisruptionBudget: POD_DISRUPTION_BUDGETS,
};
