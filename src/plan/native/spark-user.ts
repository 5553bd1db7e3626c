import { SubmissionError } from '../errors';
import type { DriverConf } from './driver-conf';

/** A Kerberos principal: a name, perhaps a host, perhaps a realm (Hadoop's KerberosName). */
const PRINCIPAL = /^([^/@]+)(\/[^/@]+)?(@[^/@]+)?$/;

/**
 * The user as whom the driver acts: the proxy user, before Spark 4.3 by its short name (UserGroupInformation.getShortUserName
 * with Hadoop's simple authentication), else the one who submits.
 */
export function sparkUserName({ application: { proxyUser }, sparkUser, version }: DriverConf): string {
  if (proxyUser === undefined || version.features.wholeProxyUser) {
    return proxyUser ?? sparkUser;
  }
  const match = PRINCIPAL.exec(proxyUser);
  if (!match && proxyUser.includes('@')) {
    throw new SubmissionError({ field: 'spec.proxyUser', value: proxyUser, reason: 'is not the name of a user', remedy: 'write a name such as alice or alice@EXAMPLE.COM' });
  }
  return match?.[1] ?? proxyUser;
}
