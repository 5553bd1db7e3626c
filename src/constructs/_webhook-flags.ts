import { certificateFlags, type CertificateSetup } from './_webhook-certificates';
import type { OperatorWebhook } from './operator-webhook';
import { WebhookCertificates } from './webhook-certificates';

/**
 * Of the Deployment and the service account, if the webhook has its own.
 * @internal
 */
export const WEBHOOK_NAME = 'spark-operator-webhook';
/**
 * The same as with kubeflow's operator.
 * @internal
 */
export const WEBHOOK_SERVICE = 'spark-operator-webhook-svc';

const PORT = 9443;

/**
 * The port of the pods that serve the webhook.
 * @internal
 */
export function webhookPort({ port }: OperatorWebhook): number {
  return port ?? PORT;
}

/**
 * Where the certificates come from.
 * @internal
 */
export function certificatesOf({ certificates }: OperatorWebhook): CertificateSetup {
  return (certificates ?? WebhookCertificates.selfManaged())._setup;
}

/**
 * Of both webhook configurations of an operator: they have no namespace, and two operators of a cluster each need their own.
 * @internal
 */
export function configurationName(namespace: string): string {
  return `spark-operator-${namespace}`;
}

/**
 * The flags of the process that serves the webhook.
 * @internal
 */
export function servingFlags(webhook: OperatorWebhook, namespace: string): string[] {
  const name = configurationName(namespace);
  return [
    `--webhook-port=${webhookPort(webhook)}`,
    `--webhook-svc-name=${WEBHOOK_SERVICE}`,
    `--webhook-svc-namespace=${namespace}`,
    `--mutating-webhook-name=${name}`,
    `--validating-webhook-name=${name}`,
    ...certificateFlags(certificatesOf(webhook), namespace),
    ...(webhook.resourceQuotas ? ['--enable-resource-quota-enforcement=true'] : []),
  ];
}
