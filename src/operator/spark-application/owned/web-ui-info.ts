import type { DriverInfo } from '../../../api/spark-application-status';
import { keyOfObject, type KnownObjects } from './known';
import type { WebUI } from './web-ui';

/** What the status says of the web UI. */
export type WebUIInfo = Pick<DriverInfo, 'webUIServiceName' | 'webUIAddress' | 'webUIPort' | 'webUIIngressName' | 'webUIIngressAddress'>;

/** What the status is to say of a web UI: only what exists. */
export function webUIInfo(ui: WebUI | undefined, known: Pick<KnownObjects, 'get'>): WebUIInfo {
  const exists = (object: NonNullable<WebUI['service' | 'route']>) => known.get(keyOfObject({ kind: object.kind, name: object.metadata.name }));
  const service = ui && exists(ui.service);
  if (!service?.uid) return {};
  const { port } = ui!.service.spec.ports[0]!;
  const route = ui!.route && exists(ui!.route);
  return {
    webUIServiceName: service.name,
    webUIPort: port,
    webUIAddress: `${hostOf(service.clusterIP, ui!.service.metadata)}:${port}`,
    ...route?.uid && { webUIIngressName: route.name, webUIIngressAddress: ui!.address },
  };
}

/** The address of the Service, or its name if it has none of its own. */
function hostOf(clusterIP: string | undefined, { name, namespace }: { readonly name: string; readonly namespace?: string }): string {
  if (!clusterIP || clusterIP === 'None') return `${name}.${namespace}.svc`;
  return clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP;
}

/** The driver's part of a status with what is to be said of the web UI, in place of what was said before. */
export function withWebUI(driver: DriverInfo, info: WebUIInfo): DriverInfo {
  const { webUIServiceName, webUIAddress, webUIPort, webUIIngressName, webUIIngressAddress, ...others } = driver;
  return { ...others, ...info };
}
