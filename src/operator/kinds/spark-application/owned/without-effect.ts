import type { OwnedSettings } from '../../../owned/settings';
import { hasWebUI, INGRESS_URL_FORMAT_FLAG, webUIPort } from '../../../../plan/properties/web-ui';
import type { SparkApplication } from '../../../../model/spark-application';

/**
 * Returns the application's settings about reaching and protecting its driver that do not have the
 * effect that they seem to have; sentences.
 */
export function withoutEffect({ spec }: SparkApplication, settings: OwnedSettings): string[] {
  const { sparkUIOptions: ui, driverIngressOptions: ports = [], driverPodDisruptionBudget, sparkConf } = spec;
  const sentences: string[] = [];
  const whyNoUI = reasonAgainstWebUI(sparkConf, settings);
  if (ui && whyNoUI) {
    sentences.push(`spec.sparkUIOptions has no effect: ${whyNoUI}`);
  } else if (settings.uiService && hasWebUI(sparkConf) && whyNoUI) {
    sentences.push(`there is no Service for the web UI: ${whyNoUI}`);
  } else if (ui) {
    sentences.push(...aboutRoute(
      'spec.sparkUIOptions', ui, settings.ingress.urlFormat, `the operator runs without ${INGRESS_URL_FORMAT_FLAG}`, settings,
    ));
  }
  ports.forEach((port, index) => {
    const field = `spec.driverIngressOptions[${index}]`;
    if (port.ingressURLFormat && settings.driverIngress === false) {
      sentences.push(
        `${field}.ingressURLFormat has no effect: the operator makes no Ingresses for ports of drivers (--enable-driver-ingress=false)`,
      );
    } else {
      sentences.push(...aboutRoute(field, port, port.ingressURLFormat, 'it has no ingressURLFormat', settings));
    }
  });
  if (driverPodDisruptionBudget && !settings.driverPodDisruptionBudget) {
    sentences.push('spec.driverPodDisruptionBudget has no effect: the operator runs without --enable-driver-pdb');
  }
  return sentences;
}

function reasonAgainstWebUI(sparkConf: { readonly [key: string]: string } | undefined, { uiService }: OwnedSettings): string | undefined {
  if (!uiService) return 'the operator makes no Services for web UIs (--enable-ui-service=false)';
  if (!hasWebUI(sparkConf)) return 'spec.sparkConf[spark.ui.enabled] is false';
  return webUIPort(sparkConf) === 0
    ? 'spec.sparkConf[spark.ui.port] = 0 lets Spark choose a port that the operator does not know; write a number, such as 4040'
    : undefined;
}

interface RouteOptions {
  readonly ingressAnnotations?: object;
  readonly ingressTLS?: readonly unknown[];
}

function aboutRoute(
  field: string, options: RouteOptions, urlFormat: string | undefined, whyNone: string, { ingress }: OwnedSettings,
): string[] {
  const hasTls = (options.ingressTLS ?? []).length > 0;
  if (!urlFormat) {
    const fields = [
      ...Object.keys(options.ingressAnnotations ?? {}).length > 0 ? ['ingressAnnotations'] : [], ...hasTls ? ['ingressTLS'] : [],
    ];
    return fields.map(name => `${field}.${name} has no effect: ${whyNone}`);
  }
  return hasTls && ingress.gateways?.length ? [`${field}.ingressTLS has no effect: with an HTTPRoute, TLS is up to its Gateway`] : [];
}
