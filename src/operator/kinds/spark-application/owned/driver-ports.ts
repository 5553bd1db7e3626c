import type { HttpRoute, Ingress, Service } from '../../../../model/kubernetes-objects';
import type { OwnedSettings } from '../../../owned/settings';
import type { SparkApplication } from '../../../../model/spark-application';
import { driverService } from './driver-service';
import { routeTo } from './route-to';

/**
 * Returns the Services of other ports of the driver, and the Ingress or HTTPRoute of each port that
 * has a URL.
 */
export function driverPorts(
  application: SparkApplication, { ingress, driverIngress = true }: OwnedSettings,
): (Service | Ingress | HttpRoute)[] {
  return (application.spec.driverIngressOptions ?? []).flatMap(options => {
    const port = options.servicePort;
    const service = driverService(application, {
      suffix: `driver-${port}`,
      port,
      targetPort: port,
      portName: options.servicePortName || `driver-ing-${port}`,
      type: options.serviceType,
      labels: options.serviceLabels,
      annotations: options.serviceAnnotations,
    });
    if (!options.ingressURLFormat || !driverIngress) return [service];
    const { object } = routeTo(application, {
      suffix: { ingress: `ing-${port}`, route: `route-${port}` },
      service,
      urlFormat: options.ingressURLFormat,
      annotations: options.ingressAnnotations,
      tls: options.ingressTLS,
    }, ingress);
    return [service, object];
  });
}
