import { certificateFlags, type CertificateSetup } from './_webhook-certificates';
import type { OperatorWebhook } from './operator-webhook';
import { WebhookCertificates } from './webhook-certificates';

/**
 * Name of the Deployment and the service account, if the webhook has its own.
 * @internal
 */
export const WEBHOOK_NAME = 'spark-operator-webhook';
/**
 * Same path as in kubeflow's operator.
 * @internal
 */
export const WEBHOOK_SERVICE = 'spark-operator-webhook-svc';

const PORT = 9443;

/**
 * Port of the webhook's pods.
 * @internal
 */
export function webhookPort({ port }: OperatorWebhook): number {
  return port ?? PORT;
}

/**
 * Source of the certificates.
 * @internal
 */
export function certificatesOf({ certificates }: OperatorWebhook): CertificateSetup {
  return (certificates ?? WebhookCertificates.selfManaged())._setup;
}

/**
 * Name of both webhook configurations of an operator. They are cluster-scoped, and each operator of
 * a cluster needs its own.
 * @internal
 */
export function configurationName(namespace: string): string {
  return `spark-operator-${namespace}`;
}

/**
 * Returns the flags of the process that serves the webhook.
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
