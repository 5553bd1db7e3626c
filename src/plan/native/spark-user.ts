import { SubmissionError } from '../errors';
import type { DriverConf } from './driver-conf';

/**
 * A Kerberos principal: a name, an optional host, and an optional realm (Hadoop's KerberosName).
 */
const PRINCIPAL = /^([^/@]+)(\/[^/@]+)?(@[^/@]+)?$/;

/**
 * Returns the user of the driver: the proxy user, otherwise the submitting user. Before Spark 4.3,
 * this is the proxy user's short name (UserGroupInformation.getShortUserName with Hadoop's simple
 * authentication).
 */
export function sparkUserName({ application: { proxyUser }, sparkUser, version }: DriverConf): string {
  if (proxyUser === undefined || version.features.wholeProxyUser) {
    return proxyUser ?? sparkUser;
  }
  const match = PRINCIPAL.exec(proxyUser);
  if (!match && proxyUser.includes('@')) {
    throw new SubmissionError({
      field: 'spec.proxyUser', value: proxyUser, reason: 'is not the name of a user',
      remedy: 'write a name such as alice or alice@EXAMPLE.COM',
    });
  }
  return match?.[1] ?? proxyUser;
}
