import type { FeatureStep } from './feature-step';

/**
 * The service account of the driver (DriverKubernetesCredentialsFeatureStep). The rest of Spark's step, tokens and
 * certificates in a Secret, is refused before: see unsupported.ts.
 */
export const driverKubernetesCredentials: FeatureStep = ({ conf }, { pod, container }) => {
  const serviceAccount = conf.text('spark.kubernetes.authenticate.driver.serviceAccountName');
  if (serviceAccount === undefined) {
    return {};
  }
  return {
    pod: {
      pod: { ...pod, spec: { ...pod.spec, serviceAccount, serviceAccountName: serviceAccount } },
      container,
    },
  };
};
