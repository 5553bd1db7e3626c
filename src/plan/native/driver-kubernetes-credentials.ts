import type { FeatureStep } from './feature-step';

const PREFIX = 'spark.kubernetes.authenticate.driver.';

/** What Spark's submitter would put into a Secret. */
const CREDENTIALS = ['caCertFile', 'clientCertFile', 'clientKeyFile', 'oauthToken'];

/** What stands in place of a token in the driver's properties. */
const REDACTED = '<present_but_redacted>';

/**
 * The service account of the driver, and no tokens in its properties (DriverKubernetesCredentialsFeatureStep). Tokens and
 * certificates of the submitter's, from which Spark makes a Secret, are refused.
 */
export const driverKubernetesCredentials: FeatureStep = ({ conf, properties }, { pod, container }) => {
  for (const key of CREDENTIALS.map(name => PREFIX + name)) {
    if (conf.has(key)) {
      throw conf.wrong(key, 'is a credential of the submitter\'s, which the operator does not hand on', 'remove it and set spec.driver.serviceAccount');
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
