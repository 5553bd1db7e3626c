import { MountedCertificates } from './certificates/mounted';
import { certificateSettings } from './certificates/plan';
import { SelfManagedCertificates, type CertificateClient } from './certificates/self-managed';
import type { CertificateSource } from './certificates/source';
import type { WebhookConfiguration } from '../../flags/webhook';
import type { Clock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';

/**
 * Returns the source of the webhook's certificate: files that another program maintains, or else
 * the operator itself.
 */
export function chooseCertificates(
  { certificateFiles, certificateLifetime, service, secret, configurations }: WebhookConfiguration, client: CertificateClient,
  logger: Logger, clock: Clock,
): CertificateSource {
  if (certificateFiles) {
    const { directory, certificate: certName, key: keyName } = certificateFiles;
    return new MountedCertificates({ directory, certName, keyName, logger, clock });
  }
  return new SelfManagedCertificates({
    client,
    // The configuration was rejected if a namespace was missing.
    service: { name: service.name, namespace: service.namespace! },
    secret: { name: secret.name, namespace: secret.namespace! },
    mutatingConfiguration: configurations.mutating,
    validatingConfiguration: configurations.validating,
    settings: certificateSettings(certificateLifetime),
    logger,
    clock,
  });
}
