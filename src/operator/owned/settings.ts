import type { IngressTls } from '../../k8s';
import type { ParentReference, StringMap } from '../../model/kubernetes-objects';
import type { BatchSchedulerSettings } from '../../plan/schedulers/scheduler';

/** The operator's configuration, as far as what belongs to an application besides its pods depends on it. */
export interface OwnedSettings {
  /** Whether each application with a web UI gets a Service for it (`--enable-ui-service`). */
  readonly uiService: boolean;
  /** Whether applications that want one get a PodDisruptionBudget for their driver (`--enable-driver-pdb`). */
  readonly driverPodDisruptionBudget: boolean;
  /** How URLs lead to drivers. */
  readonly ingress: IngressSettings;
  /** Whether URLs lead to the ports that applications name in `driverIngressOptions` (`--enable-driver-ingress`). @default true */
  readonly driverIngress?: boolean;
  /** Whether Ingresses, HTTPRoutes and PodDisruptionBudgets that were made under other flags are looked for (`--remove-leftovers`). @default true */
  readonly removeOrphans?: boolean;
  /** How batch schedulers are told of applications (`--enable-batch-scheduler`). @default - they are not */
  readonly batchSchedulers?: BatchSchedulerSettings;
}

/** How URLs lead to drivers. */
export interface IngressSettings {
  /** URL of web UIs, as `ingressUrl` reads it (`--ingress-url-format`). Without it a web UI has a Service and no URL. */
  readonly urlFormat?: string;
  /** Class of all Ingresses (`--ingress-class-name`); without it the cluster's default class. */
  readonly className?: string;
  /** TLS of Ingresses that say nothing of it (`--ingress-tls`). */
  readonly tls?: readonly IngressTls[];
  /** Annotations of Ingresses and HTTPRoutes that have none of their own (`--ingress-annotations`). */
  readonly annotations?: StringMap;
  /** Gateways (or listeners of them) to attach HTTPRoutes to (`--ui-gateway`). With them there are HTTPRoutes in place of Ingresses. */
  readonly gateways?: readonly ParentReference[];
}

/** Whether URLs may lead to drivers at all. */
export function hasRoutes({ uiService, ingress, driverIngress = true }: OwnedSettings): boolean {
  return driverIngress || (uiService && Boolean(ingress.urlFormat));
}

/**
 * The URL format that the driver has to be told of at its submission; undefined if web UIs have no URL.
 * Where the operator makes no Service for web UIs, somebody else decides how they are reached.
 */
export function webUIUrlFormat({ uiService, ingress }: OwnedSettings): string | undefined {
  return uiService ? ingress.urlFormat || undefined : undefined;
}
