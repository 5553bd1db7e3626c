import { SubmissionError } from '../errors';
import type { ReadonlySparkProperties } from '../spark-conf';

/**
 * Properties that make spark-submit change the objects that it creates, or how it reaches the API server, in ways that
 * native submission does not build. They are refused, as to drop them silently would start a driver that is not what the
 * user asked for. A key that ends in a dot is a prefix.
 */
const UNSUPPORTED: readonly string[] = [
  'spark.driver.resource.',
  'spark.kerberos.keytab',
  'spark.kerberos.principal',
  'spark.kubernetes.authenticate.driver.caCertFile',
  'spark.kubernetes.authenticate.driver.clientCertFile',
  'spark.kubernetes.authenticate.driver.clientKeyFile',
  'spark.kubernetes.authenticate.driver.oauthToken',
  'spark.kubernetes.authenticate.submission.',
  'spark.kubernetes.context',
  'spark.kubernetes.driver.pod.excludedFeatureSteps',
  'spark.kubernetes.driver.pod.featureSteps',
  'spark.kubernetes.driver.podTemplateFile',
  'spark.kubernetes.driver.secretKeyRef.',
  'spark.kubernetes.driver.secrets.',
  'spark.kubernetes.driver.volumes.',
  'spark.kubernetes.executor.podTemplateFile',
  'spark.kubernetes.hadoop.configMapName',
  'spark.kubernetes.kerberos.',
];

/**
 * Refuses properties that native submission cannot honour.
 *
 * @throws SubmissionError for the first of them, in the order of their keys
 */
export function refuseUnsupported(properties: ReadonlySparkProperties): void {
  for (const [key, value] of properties.entries()) {
    if (UNSUPPORTED.some(known => (known.endsWith('.') ? key.startsWith(known) : key === known))) {
      throw new SubmissionError({
        field: properties.fieldOf(key),
        value,
        reason: 'is not supported yet by native submission',
        remedy: 'remove it',
      });
    }
  }
}
