import { SecretType, type SecretInfo } from '../../api/spark-pod';
import { environmentPrefix, type Role } from './role';
import type { SparkProperties } from './spark-conf';

/** For some Secrets a variable tells programs where to look, and a file of this name is in the Secret. */
const VARIABLES: { readonly [type in SecretType]?: { readonly name: string; readonly file: string } } = {
  [SecretType.GCP_SERVICE_ACCOUNT]: { name: 'GOOGLE_APPLICATION_CREDENTIALS', file: 'key.json' },
  [SecretType.HADOOP_DELEGATION_TOKEN]: { name: 'HADOOP_TOKEN_FILE_LOCATION', file: 'hadoop.token' },
};

/** The variable that tells programs where a Secret of this type is; undefined if none does. */
export function secretVariable(type: string): string | undefined {
  return VARIABLES[type as SecretType]?.name;
}

/** Sets the properties with which Spark mounts Secrets into a pod, and those for the variables that tell where. */
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
