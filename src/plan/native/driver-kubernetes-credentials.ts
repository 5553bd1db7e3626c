import type { FeatureStep } from './feature-step';

const PREFIX = 'spark.kubernetes.authenticate.driver.';

/** Properties with credentials that Spark's submitter would put into a Secret. */
const CREDENTIALS = ['caCertFile', 'clientCertFile', 'clientKeyFile', 'oauthToken'];

/** Replacement of a token in the driver's properties. */
const REDACTED = '<present_but_redacted>';

/**
 * Sets the service account of the driver, and removes tokens from its properties
 * (DriverKubernetesCredentialsFeatureStep). Rejects tokens and certificates of the submitter, from
 * which Spark would create a Secret.
 */
export const driverKubernetesCredentials: FeatureStep = ({ conf, properties }, { pod, container }) => {
  for (const key of CREDENTIALS.map(name => PREFIX + name)) {
    if (conf.has(key)) {
      throw conf.wrong(
        key, 'is a credential of the submitter, which the operator does not pass to drivers',
        'remove it and set spec.driver.serviceAccount',
      );
    }
  }
  const serviceAccount = conf.text(`${PREFIX}serviceAccountName`);
  const tokens = properties.entries().filter(([key]) => key.endsWith('oauthToken'));
  return {
    ...(serviceAccount === undefined ? {} : {
      pod: { pod: { ...pod, spec: { ...pod.spec, serviceAccount, serviceAccountName: serviceAccount } }, container },
    }),
    properties: Object.fromEntries(tokens.map(([key]) => [key, REDACTED])),
  };
};
