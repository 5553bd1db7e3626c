import type { DriverInfo } from '../../../../api/spark-application-status';
import { keyOfObject, type KnownObjects } from '../../../owned/known';
import type { WebUI } from './web-ui';

/** Fields of the status about the web UI. */
export type WebUIInfo = Pick<DriverInfo, 'webUIServiceName' | 'webUIAddress' | 'webUIPort' | 'webUIIngressName' | 'webUIIngressAddress'>;

/** Returns the fields of a status about the web UI. */
export function webUIInfoIn({ webUIServiceName, webUIAddress, webUIPort, webUIIngressName, webUIIngressAddress }: DriverInfo): WebUIInfo {
  return {
    ...webUIServiceName !== undefined && { webUIServiceName },
    ...webUIAddress !== undefined && { webUIAddress },
    ...webUIPort !== undefined && { webUIPort },
    ...webUIIngressName !== undefined && { webUIIngressName },
    ...webUIIngressAddress !== undefined && { webUIIngressAddress },
  };
}

/**
 * Returns the fields for the status about a web UI, with only the objects that exist. The previous
 * fields stay for kinds that the operator cannot list.
 *
 * @param before previous fields
 */
export function webUIInfo(ui: WebUI | undefined, known: Pick<KnownObjects, 'get' | 'unavailable'>, before: WebUIInfo): WebUIInfo {
  if (!ui) return {};
  const { webUIIngressName, webUIIngressAddress, ...ofService } = before;
  const service = serviceInfo(ui, known) ?? (isUnknown(ui.service, known, before.webUIServiceName) ? ofService : undefined);
  if (!service) return {};
  const isRouted = ui.route && (known.get(keyOf(ui.route))?.uid !== undefined || isUnknown(ui.route, known, webUIIngressName));
  return { ...service, ...isRouted && { webUIIngressName: ui.route!.metadata.name, webUIIngressAddress: ui.address } };
}

type WebUIObject = NonNullable<WebUI['service' | 'route']>;

function serviceInfo({ service }: WebUI, known: Pick<KnownObjects, 'get'>): WebUIInfo | undefined {
  const found = known.get(keyOf(service));
  if (!found?.uid) return undefined;
  const { port } = service.spec.ports[0]!;
  return { webUIServiceName: found.name, webUIPort: port, webUIAddress: `${hostOf(found.clusterIP, service.metadata)}:${port}` };
}

function keyOf({ kind, metadata: { name } }: WebUIObject): string {
  return keyOfObject({ kind, name });
}

function isUnknown({ kind, metadata: { name } }: WebUIObject, known: Pick<KnownObjects, 'unavailable'>, said: string | undefined): boolean {
  return said === name && known.unavailable(kind) !== undefined;
}

/** Returns the IP of the Service, or its name if it has no IP of its own. */
function hostOf(clusterIP: string | undefined, { name, namespace }: { readonly name: string; readonly namespace?: string }): string {
  if (!clusterIP || clusterIP === 'None') return `${name}.${namespace}.svc`;
  return clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP;
}

/**
 * Returns the driver's part of a status, with new fields about the web UI in place of the previous
 * ones.
 */
export function withWebUI(driver: DriverInfo, info: WebUIInfo): DriverInfo {
  const { webUIServiceName, webUIAddress, webUIPort, webUIIngressName, webUIIngressAddress, ...others } = driver;
  return { ...others, ...info };
}
