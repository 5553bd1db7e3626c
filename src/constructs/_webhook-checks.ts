import type { Duration } from 'cdk8s';
import { wrongNumber } from '../props/_check';
import { found } from '../rules/names';
import { HEALTH_PORT, metricsPort } from './_operator-flags';
import { webhookPort } from './_webhook-flags';
import type { SparkOperatorProps } from './spark-operator-props';
import type { Problem } from '../model/problem';

/** Limit of the API server (ValidatingWebhook.timeoutSeconds). */
const MAX_TIMEOUT = 30;

/**
 * Returns the problems of the webhook's properties.
 *
 * @param defaultsConfigMapName the ConfigMap with defaults that the operator reads
 * @internal
 */
export function webhookViolations(
  { webhook, ...props }: SparkOperatorProps, defaultsConfigMapName: string | undefined,
): Problem[] {
  if (!webhook) return [];
  const { deployment = {}, defaulting, timeout, podTimeout } = webhook;
  const port = webhookPort(webhook);
  return found([
    wrongNumber('webhook.port', port, 1, 65535),
    [metricsPort(props), HEALTH_PORT].includes(port) ? {
      path: 'webhook.port', value: port, reason: 'is the port of metrics or health probes; choose another one, such as 9443',
    } : undefined,
    wrongTimeout('webhook.timeout', timeout),
    wrongTimeout('webhook.podTimeout', podTimeout),
    wrongNumber('webhook.deployment.replicas', deployment.replicas, 1),
    defaulting && defaultsConfigMapName !== undefined
      ? {
        path: 'webhook.defaulting', value: true,
        reason: 'would override the ConfigMap with defaults, because the values that it writes into an application take precedence; leave one of them out',
      } : undefined,
  ]);
}

function wrongTimeout(path: string, value: Duration | undefined): Problem | undefined {
  if (value === undefined) return undefined;
  const amount = value.toMilliseconds() / 1000;
  return Number.isInteger(amount) && amount >= 1 && amount <= MAX_TIMEOUT ? undefined : {
    path, value: `${amount} s`, reason: `must be whole seconds, from 1 to ${MAX_TIMEOUT}`,
  };
}
