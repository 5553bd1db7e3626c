import type { FeatureStep } from './feature-step';

/** Replacement of a token in the driver's properties. */
const REDACTED = '<present_but_redacted>';

/**
 * Sets the service account of the driver, and removes tokens from its properties
 * (DriverKubernetesCredentialsFeatureStep).
 */
export const driverKubernetesCredentials: FeatureStep = ({ conf, properties }, { pod, container }) => {
  const serviceAccount = conf.text('spark.kubernetes.authenticate.driver.serviceAccountName');
  const tokens = properties.entries().filter(([key]) => key.endsWith('oauthToken'));
  return {
    ...(serviceAccount === undefined ? {} : {
      pod: { pod: { ...pod, spec: { ...pod.spec, serviceAccount, serviceAccountName: serviceAccount } }, container },
    }),
    properties: Object.fromEntries(tokens.map(([key]) => [key, REDACTED])),
  };
};
