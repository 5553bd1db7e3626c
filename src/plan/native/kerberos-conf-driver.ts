import type { DriverConf } from './driver-conf';
import { addParts } from './pod-parts';
import type { PodParts } from './pod-parts';
import type { FeatureStep } from './feature-step';

const KRB5_CONFIG_MAP = 'spark.kubernetes.kerberos.krb5.configMapName';
const TOKEN_SECRET = 'spark.kubernetes.kerberos.tokenSecret.name';
const TOKEN_KEY = 'spark.kubernetes.kerberos.tokenSecret.itemKey';
const KEYTAB = 'spark.kerberos.keytab';
const PRINCIPAL = 'spark.kerberos.principal';

const KRB5_VOLUME = 'krb5-file';
const TOKEN_VOLUME = 'hadoop-secret';
const TOKEN_DIRECTORY = '/mnt/secrets/hadoop-credentials';

/**
 * Mounts Kerberos' configuration from an existing ConfigMap, and delegation tokens from an existing
 * Secret (KerberosConfDriverFeatureStep).
 *
 * @throws SubmissionError for a principal without a keytab, a Secret without its key, or the
 * reverse
 */
export const kerberosConfDriver: FeatureStep = (driver, pod) => {
  refuseHalves(driver, PRINCIPAL, KEYTAB);
  refuseHalves(driver, TOKEN_SECRET, TOKEN_KEY);
  return { pod: addParts(addParts(pod, krb5(driver)), tokens(driver)) };
};

function krb5({ conf }: DriverConf): PodParts {
  const name = conf.text(KRB5_CONFIG_MAP);
  return name === undefined ? {} : {
    volumes: [{ name: KRB5_VOLUME, configMap: { name } }],
    mounts: [{ name: KRB5_VOLUME, mountPath: '/etc/krb5.conf', subPath: 'krb5.conf' }],
  };
}

function tokens({ conf }: DriverConf): PodParts {
  const secretName = conf.text(TOKEN_SECRET);
  return secretName === undefined ? {} : {
    volumes: [{ name: TOKEN_VOLUME, secret: { secretName } }],
    mounts: [{ name: TOKEN_VOLUME, mountPath: TOKEN_DIRECTORY }],
    env: [{ name: 'HADOOP_TOKEN_FILE_LOCATION', value: `${TOKEN_DIRECTORY}/${conf.text(TOKEN_KEY)}` }],
  };
}

function refuseHalves({ conf }: DriverConf, first: string, second: string): void {
  const [missing, given] = conf.has(first) ? [second, first] : [first, second];
  if (conf.has(given) && !conf.has(missing)) {
    throw conf.wrong(missing, 'is missing', `set it, or remove ${given}`);
  }
}
