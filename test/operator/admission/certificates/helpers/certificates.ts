import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import type { PlanInput } from '../../../../../src/operator/admission/certificates/plan';
import type { Fresh } from '../../../../../src/operator/admission/certificates/x509';

export const DAY = 86_400_000;
export const HOUR = 3_600_000;

export const newKeys: PlanInput['newKeys'] = () => ({ keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }), serial: randomBytes(16).fill(1, 0, 1) });

/** Valid from an hour ago, for so many milliseconds from now on. */
export function fresh(lifetime = DAY, now = Date.now()): Fresh {
  return { ...newKeys(), notBefore: now - HOUR, notAfter: now + lifetime };
}

/** The certificates of a text in PEM. */
export function certificatesOf(text: string): X509Certificate[] {
  return text.split(/(?<=-----END CERTIFICATE-----\n)/).map((pem) => {
    const certificate = parsed.get(pem) ?? new X509Certificate(pem);
    parsed.set(pem, certificate);
    return certificate;
  });
}

const parsed = new Map<string, X509Certificate>();
const verified = new Map<string, boolean>();

/** Whether an authority has signed a certificate; tests ask it of the same ones thousands of times. */
function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  const key = certificate.fingerprint256 + authority.fingerprint256;
  if (!verified.has(key)) verified.set(key, certificate.checkIssued(authority) && certificate.verify(authority.publicKey));
  return verified.get(key)!;
}

/** Why somebody who trusts a bundle does not trust a server that is to be `host`; undefined if he does. */
export function objection(bundle: string, served: string, host: string, now: number): string | undefined {
  const [leaf] = certificatesOf(served);
  const issuer = certificatesOf(bundle).find((authority) => isSignedBy(leaf!, authority));
  if (!issuer) return 'unknown CA';
  const isOver = [leaf!, issuer].some(({ validFromDate, validToDate }) => validFromDate.getTime() > now || validToDate.getTime() < now);
  if (isOver) return 'not valid at this time';
  return leaf!.checkHost(host, { subject: 'never' }) === undefined ? 'another name' : undefined;
}
