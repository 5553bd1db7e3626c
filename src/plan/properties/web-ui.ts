import { sparkConfField } from './denied-conf';
import { ingressUrl } from './ingress-url';
import { javaTrim } from './java-values';
import type { SparkProperties } from './spark-conf';
import type { Problem } from '../../model/problem';

/** The operator's flag for the URL of web UIs. */
export const INGRESS_URL_FORMAT_FLAG = '--ingress-url-format';

const UI_ENABLED = 'spark.ui.enabled';
const UI_PORT = 'spark.ui.port';
const DEFAULT_UI_PORT = 4040;
const PROXY_BASE = 'spark.ui.proxyBase';
const PROXY_REDIRECT_URI = 'spark.ui.proxyRedirectUri';

type Conf = { readonly [key: string]: string } | undefined;

/** Whether an application has a web UI. */
export function hasWebUI(sparkConf: Conf): boolean {
  return javaTrim(sparkConf?.[UI_ENABLED] ?? '').toLowerCase() !== 'false';
}

/**
 * Returns the port of the web UI; 0 if Spark chooses one. An invalid value gives the default; the
 * driver reports it.
 */
export function webUIPort(sparkConf: Conf): number {
  const text = javaTrim(sparkConf?.[UI_PORT] ?? '');
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : DEFAULT_UI_PORT;
}

/** Parts of an application for the URL of its web UI. */
export interface WebUIApplication {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly sparkConf?: { readonly [key: string]: string } };
}

/**
 * Sets the properties for a web UI under a path: the prefix of its links and of its redirects
 * (UIUtils.uiRoot, JettyUtils' ProxyRedirectHandler). The application's own settings take
 * precedence.
 *
 * @param urlFormat the operator's format of URLs; undefined if the UI has no URL
 * @param appId Spark's application ID
 */
export function setWebUIProperties(
  properties: SparkProperties, { metadata, spec }: WebUIApplication, urlFormat: string | undefined, appId: string,
): void {
  if (!urlFormat || !hasWebUI(spec.sparkConf)) {
    return;
  }
  const { path } = ingressUrl(urlFormat, { appName: metadata.name, appNamespace: metadata.namespace, appId });
  if (path) {
    properties.setIfMissing(PROXY_BASE, path, INGRESS_URL_FORMAT_FLAG);
    properties.setIfMissing(PROXY_REDIRECT_URI, '/', INGRESS_URL_FORMAT_FLAG);
  }
}

/**
 * Returns a warning if the path contains the application ID: spark-submit chooses the ID, so Spark
 * cannot be configured with the path.
 */
export function sparkSubmitWebUIWarnings(properties: Pick<SparkProperties, 'get' | 'fieldOf'>, appId: string): Problem[] {
  const isWrong = properties.fieldOf(PROXY_BASE) === INGRESS_URL_FORMAT_FLAG && properties.get(PROXY_BASE)!.includes(appId);
  return isWrong ? [{
    path: sparkConfField(PROXY_BASE),
    reason: 'is unknown for an application that spark-submit submits, so links of the web UI are broken: '
      + `${INGRESS_URL_FORMAT_FLAG} has {{$appId}} in its path, and spark-submit chooses the id`,
    severity: 'warning',
  }] : [];
}
