import { wrongNumber } from '../props/_check';
import { found, wrongName } from '../rules/names';
import { WEB_URL_HINT, webUrl } from '../rules/web-url';
import { CONSOLE_CPU, resourceViolations } from './_operator-resources';
import { exposureViolations } from './_service-exposure';
import type { SparkOperatorProps } from './spark-operator-props';
import type { Problem } from '../model/problem';

/**
 * Returns the problems of the console's properties.
 *
 * @internal
 */
export function consoleViolations({ console }: SparkOperatorProps): Problem[] {
  if (!console) return [];
  return found([
    console.clusterName?.trim() === '' ? {
      path: 'console.clusterName', value: console.clusterName,
      reason: 'is empty; write the display name of the cluster, or leave it out',
    } : undefined,
    wrongUrl('console.historyServerUrl', console.historyServerUrl),
    ...(console.hosts ?? []).map((host, index) => wrongHost(`console.hosts[${index}]`, host)),
    wrongName('console.tlsSecretName', console.tlsSecretName),
    wrongNumber('console.replicas', console.replicas, 0),
    ...(console.httpRoute?.hosts ?? []).map((host, index) => wrongHost(`console.httpRoute.hosts[${index}]`, host)),
    console.httpRoute && !console.httpRoute.hosts?.length && !console.hosts?.length ? {
      path: 'console.httpRoute.hosts', value: undefined,
      reason: 'is missing; list the host names, because the console rejects requests with any other',
    } : undefined,
    ...exposureViolations('console.', console),
    ...resourceViolations('console.resources', console.resources, CONSOLE_CPU),
  ]);
}

function wrongUrl(path: string, value: string | undefined): Problem | undefined {
  if (value === undefined || webUrl(value) !== undefined) return undefined;
  return { path, value, reason: `is not the URL of a web server; ${WEB_URL_HINT}` };
}

function wrongHost(path: string, value: string): Problem | undefined {
  return wrongName(path, value)
    && { path, value, reason: 'is not a host name; write it in lower case, without scheme, port and path, such as spark.example.org' };
}
