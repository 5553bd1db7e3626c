import type { Duration } from 'cdk8s';
import { wrongNumber } from '../props/_check';
import { found, wrongName } from '../props/_names';
import { HEALTH_PORT, METRICS_PORT } from './_operator-flags';
import { webhookPort } from './_webhook-flags';
import type { SparkOperatorProps } from './spark-operator-props';
import type { Violation } from '../model/problem';

/** Of the API server (ValidatingWebhook.timeoutSeconds). */
const MAX_TIMEOUT = 30;

/**
 * What is wrong in the properties of the webhook.
 *
 * @param defaultsConfigMap the ConfigMap with defaults that the operator looks for
 * @internal
 */
export function webhookViolations({ webhook, serviceAccountName = 'spark-operator' }: SparkOperatorProps, defaultsConfigMap: string | undefined): Violation[] {
  if (!webhook) return [];
  const { deployment = {}, defaulting, timeout, podTimeout } = webhook;
  const port = webhookPort(webhook);
  return found([
    wrongNumber('webhook.port', port, 1, 65535),
    [METRICS_PORT, HEALTH_PORT].includes(port) ? { path: 'webhook.port', value: port, reason: 'is where metrics or health are told; take another one, such as 9443' } : undefined,
    wrongTimeout('webhook.timeout', timeout),
    wrongTimeout('webhook.podTimeout', podTimeout),
    wrongNumber('webhook.deployment.replicas', deployment.replicas, 1),
    wrongName('webhook.deployment.serviceAccountName', deployment.serviceAccountName),
    deployment.serviceAccountName === serviceAccountName
      ? { path: 'webhook.deployment.serviceAccountName', value: serviceAccountName, reason: 'is the service account of the operator, whose rights the webhook does not need; take another one' } : undefined,
    defaulting && defaultsConfigMap !== undefined
      ? { path: 'webhook.defaulting', value: true, reason: 'would put out of force the ConfigMap with defaults, as what is written in an application wins over it; leave one of them out' } : undefined,
  ]);
}

function wrongTimeout(path: string, value: Duration | undefined): Violation | undefined {
  if (value === undefined) return undefined;
  const amount = value.toMilliseconds() / 1000;
  return Number.isInteger(amount) && amount >= 1 && amount <= MAX_TIMEOUT ? undefined : { path, value: `${amount} s`, reason: `must be whole seconds, from 1 to ${MAX_TIMEOUT}` };
}
