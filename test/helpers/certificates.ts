import {
  type Fresh, type Identity, issueAuthority, issueCertificate, newKeys, type Subject,
} from '../../src/kube/x509/x509';
import type { PemPair } from '../../tools/local-cluster/cluster/certificates';

export const DAY = 86_400_000;
export const HOUR = 3_600_000;

/** Returns new keys, valid from an hour ago until `lifetime` milliseconds from `now`. */
export function fresh(lifetime = DAY, now = Date.now()): Fresh {
  return { ...newKeys(), notBefore: now - HOUR, notAfter: now + lifetime };
}

/** Makes a CA for a day. */
export function testAuthority(name = 'test'): Identity {
  return issueAuthority(name, fresh());
}

/** Makes a certificate for servers and clients, and its key, in PEM. */
export function testCertificate(authority: Identity, subject: Subject, hosts: readonly string[] = []): PemPair {
  const { certificate, key } = issueCertificate(authority, subject, hosts, fresh(), ['server', 'client']);
  return { certificate: certificate.toString(), key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
