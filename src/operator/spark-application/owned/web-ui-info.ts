import type { DriverInfo } from '../../../api/spark-application-status';
import { keyOfObject, type KnownObjects } from '../../owned/known';
import type { WebUI } from './web-ui';

/** What the status says of the web UI. */
export type WebUIInfo = Pick<DriverInfo, 'webUIServiceName' | 'webUIAddress' | 'webUIPort' | 'webUIIngressName' | 'webUIIngressAddress'>;

/** What a status says of the web UI. */
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
 * What the status is to say of a web UI: only what exists. Of kinds that cannot be listed nobody knows, so that what it says already stays.
 *
 * @param before what it says already
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
