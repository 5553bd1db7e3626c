import type { EnvVar } from '../../model/kubernetes-objects';
import { javaSplit } from '../properties/java-values';
import { addParts } from './pod-parts';
import type { FeatureStep } from './feature-step';

const PREFIX = 'spark.kubernetes.driver.secretKeyRef.';

/**
 * Adds variables with values from Secrets (EnvSecretsFeatureStep):
 * `spark.kubernetes.driver.secretKeyRef.<variable>=<secret>:<key>`.
 */
export const envSecrets: FeatureStep = ({ conf, properties }, pod) => {
  const env = properties.withPrefix(PREFIX).map(([variable, reference]): EnvVar => {
    const [name, key, ...others] = javaSplit(reference, ':');
    if (name === undefined || key === undefined || others.length > 0) {
      throw conf.wrong(PREFIX + variable, 'does not name a Secret and a key', 'write them as secret:key');
    }
    return { name: variable, valueFrom: { secretKeyRef: { name, key } } };
  });
  return { pod: addParts(pod, { env }) };
};
