import { addParts } from './pod-parts';
import type { FeatureStep } from './feature-step';

/**
 * Mounts Secrets, each in its own directory (MountSecretsFeatureStep):
 * `spark.kubernetes.driver.secrets.<secret>=<path>`.
 */
export const mountSecrets: FeatureStep = ({ properties }, pod) => {
  const secrets = properties.withPrefix('spark.kubernetes.driver.secrets.');
  return {
    pod: addParts(pod, {
      volumes: secrets.map(([secretName]) => ({ name: `${secretName}-volume`, secret: { secretName } })),
      mounts: secrets.map(([secretName, mountPath]) => ({ name: `${secretName}-volume`, mountPath })),
    }),
  };
};
