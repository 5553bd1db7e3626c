import { X509Certificate } from 'node:crypto';

/** Returns the certificates in a PEM text. */
export function certificatesOf(text: string): X509Certificate[] {
  return text.split(/(?<=-----END CERTIFICATE-----\n)/).map((pem) => {
    const certificate = parsed.get(pem) ?? new X509Certificate(pem);
    parsed.set(pem, certificate);
    return certificate;
  });
}

const parsed = new Map<string, X509Certificate>();
const verified = new Map<string, boolean>();

/** Whether an authority has signed a certificate. Cached, because tests ask thousands of times. */
function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  const key = certificate.fingerprint256 + authority.fingerprint256;
  if (!verified.has(key)) verified.set(key, certificate.checkIssued(authority) && certificate.verify(authority.publicKey));
  return verified.get(key)!;
}

/**
 * Returns why a client that trusts a bundle rejects a server as `host`; undefined if it trusts it.
 */
export function objection(bundle: string, served: string, host: string, now: number): string | undefined {
  const [leaf] = certificatesOf(served);
  const issuer = certificatesOf(bundle).find((authority) => isSignedBy(leaf!, authority));
  if (!issuer) return 'unknown CA';
  const isOver = [leaf!, issuer].some(({ validFromDate, validToDate }) => validFromDate.getTime() > now || validToDate.getTime() < now);
  if (isOver) return 'not valid at this time';
  return leaf!.checkHost(host, { subject: 'never' }) === undefined ? 'another name' : undefined;
}
