import type { Configuration } from '../../flags/configuration';
import type { IngressTls } from '../../k8s';
import type { ParentReference, StringMap } from '../../model/kubernetes-objects';
import type { BatchSchedulerSettings } from '../../plan/settings';

/** Configuration of the operator for objects of applications other than pods. */
export interface OwnedSettings {
  /** Whether the operator creates a Service for each web UI (`--enable-ui-service`). */
  readonly uiService: boolean;
  /**
   * Whether applications can have a PodDisruptionBudget for their driver (`--enable-driver-pdb`).
   */
  readonly driverPodDisruptionBudget: boolean;
  /** Settings of URLs for drivers. */
  readonly ingress: IngressSettings;
  /**
   * Whether `driverIngressOptions` create URLs for further ports (`--enable-driver-ingress`).
   * @default true
   */
  readonly driverIngress?: boolean;
  /**
   * Whether to delete Ingresses, HTTPRoutes and PodDisruptionBudgets that were created under other
   * flags (`--remove-orphans`). @default true
   */
  readonly removeOrphans?: boolean;
  /** Settings of gang scheduling (`--enable-batch-scheduler`). @default - it is off */
  readonly batchSchedulers?: BatchSchedulerSettings;
}

/** Settings of URLs for drivers. */
export interface IngressSettings {
  /**
   * Format of web UIs' URLs, parsed by `ingressUrl` (`--ingress-url-format`). Without it, a web UI
   * has a Service and no URL.
   */
  readonly urlFormat?: string;
  /** Class of all Ingresses (`--ingress-class-name`). @default - the cluster's default class */
  readonly className?: string;
  /** TLS of Ingresses whose application sets none (`--ingress-tls`). */
  readonly tls?: readonly IngressTls[];
  /**
   * Annotations of Ingresses and HTTPRoutes whose application sets none (`--ingress-annotations`).
   */
  readonly annotations?: StringMap;
  /**
   * Gateways, or their listeners, of HTTPRoutes (`--ui-gateway`). With them, there are HTTPRoutes
   * in place of Ingresses.
   */
  readonly gateways?: readonly ParentReference[];
}

/** Whether drivers can have URLs. */
export function hasRoutes({ uiService, ingress, driverIngress = true }: OwnedSettings): boolean {
  return driverIngress || (uiService && Boolean(ingress.urlFormat));
}

/**
 * Returns the URL format that a driver needs at its submission; undefined if web UIs have no URL.
 * If the operator creates no Service for web UIs, the user exposes them in another way.
 */
export function webUIUrlFormat({ uiService, ingress }: OwnedSettings): string | undefined {
  return uiService ? ingress.urlFormat || undefined : undefined;
}

/** Returns the settings by the command line. */
export function ownedSettings({ ui, driverDisruptionBudget, removeOrphans, batchSchedulers }: Configuration): OwnedSettings {
  return {
    uiService: ui.service,
    driverPodDisruptionBudget: driverDisruptionBudget,
    ingress: ui.ingress,
    driverIngress: ui.driverIngress,
    removeOrphans,
    batchSchedulers,
  };
}
