import { SecretType, type SecretInfo } from '../../api/spark-pod';
import { environmentPrefix, type Role } from './role';
import type { SparkProperties } from './spark-conf';

/** Variables with the paths of some types of Secrets, and the names of the files in them. */
const VARIABLES: { readonly [type in SecretType]?: { readonly name: string; readonly file: string } } = {
  [SecretType.GCP_SERVICE_ACCOUNT]: { name: 'GOOGLE_APPLICATION_CREDENTIALS', file: 'key.json' },
  [SecretType.HADOOP_DELEGATION_TOKEN]: { name: 'HADOOP_TOKEN_FILE_LOCATION', file: 'hadoop.token' },
};

/** Returns the variable with the path of a Secret of this type; undefined if there is none. */
export function secretVariable(type: string): string | undefined {
  return VARIABLES[type as SecretType]?.name;
}

/**
 * Sets the properties with which Spark mounts Secrets into a pod, and those of the variables with
 * their paths.
 */
export function setSecrets(properties: SparkProperties, role: Role, secrets: readonly SecretInfo[]): void {
  secrets.forEach(({ name, path, secretType }, index) => {
    const field = `spec.${role}.secrets[${index}]`;
    properties.set(`spark.kubernetes.${role}.secrets.${name}`, path, field);
    const variable = VARIABLES[secretType];
    if (variable) {
      properties.set(`${environmentPrefix(role)}${variable.name}`, `${path.replace(/\/+$/, '')}/${variable.file}`, field);
    }
  });
}
