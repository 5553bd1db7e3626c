import type { HttpRoute, Ingress, Service } from '../../../../model/kubernetes-objects';
import type { OwnedSettings } from '../../../owned/settings';
import { hasWebUI, webUIPort } from '../../../../plan/properties/web-ui';
import type { SparkApplication } from '../../../../model/spark-application';
import { driverService } from './driver-service';
import { routeTo } from './route-to';

const DEFAULT_PORT_NAME = 'spark-driver-ui-port';

/** Objects that make a web UI reachable. */
export interface WebUI {
  readonly service: Service;
  readonly route?: Ingress | HttpRoute;
  /** URL for clients outside the cluster, if there is a route. */
  readonly address?: string;
}

/**
 * Returns the Service of a web UI and, if web UIs have URLs, its Ingress or HTTPRoute. Returns
 * undefined without a web UI, or if the operator's settings disable its Service.
 */
export function webUI(application: SparkApplication, { uiService, ingress }: OwnedSettings): WebUI | undefined {
  const { sparkConf, sparkUIOptions: options = {} } = application.spec;
  const targetPort = webUIPort(sparkConf);
  if (!uiService || !hasWebUI(sparkConf) || targetPort === 0) return undefined;
  const service = driverService(application, {
    suffix: 'ui-svc',
    port: options.servicePort ?? targetPort,
    targetPort,
    portName: options.servicePortName || DEFAULT_PORT_NAME,
    type: options.serviceType,
    labels: options.serviceLabels,
    annotations: options.serviceAnnotations,
  });
  if (!ingress.urlFormat) return { service };
  const { object: route, address } = routeTo(application, {
    suffix: { ingress: 'ui-ingress', route: 'ui-route' },
    service,
    urlFormat: ingress.urlFormat,
    annotations: options.ingressAnnotations,
    tls: options.ingressTLS,
  }, ingress);
  return { service, route, address };
}
