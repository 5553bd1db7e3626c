import type { OperatorNames } from './_operator-names';
import { certificateFlags, type CertificateSetup, secretFlags } from './_webhook-certificates';
import type { OperatorWebhook } from './operator-webhook';
import { WebhookCertificates } from './webhook-certificates';

const PORT = 9443;

/**
 * Port of the webhook's pods.
 * @internal
 */
export function webhookPort({ port }: OperatorWebhook): number {
  return port ?? PORT;
}

/**
 * Source of the certificates. The names of Secrets are derived from the webhook's by default.
 * @internal
 */
export function certificatesOf({ certificates }: OperatorWebhook, { webhook }: OperatorNames): CertificateSetup {
  const setup = (certificates ?? WebhookCertificates.selfManaged())._setup;
  // Two Secrets, because the type of a Secret is immutable: both can exist while one replaces the
  // other.
  return { ...setup, secretName: setup.secretName ?? `${webhook.name}-${setup.source === 'cert-manager' ? 'tls' : 'certs'}` };
}

/**
 * Returns the flags with the names of the webhook's objects.
 * @internal
 */
export function targetFlags(webhook: OperatorWebhook, namespace: string, names: OperatorNames): string[] {
  const { service, configuration } = names.webhook;
  return [
    `--webhook-svc-name=${service}`,
    `--webhook-svc-namespace=${namespace}`,
    `--mutating-webhook-name=${configuration}`,
    `--validating-webhook-name=${configuration}`,
    ...secretFlags(certificatesOf(webhook, names), namespace),
  ];
}

/**
 * Returns the flags of the process that serves the webhook.
 * @internal
 */
export function servingFlags(webhook: OperatorWebhook, namespace: string, names: OperatorNames): string[] {
  return [
    `--webhook-port=${webhookPort(webhook)}`,
    ...targetFlags(webhook, namespace, names),
    ...certificateFlags(certificatesOf(webhook, names)),
    ...(webhook.resourceQuotas ? ['--enable-resource-quota-enforcement=true'] : []),
  ];
}
