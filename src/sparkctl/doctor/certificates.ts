import { X509Certificate } from 'node:crypto';
import { shortDuration } from '../../text/duration';

/** What is wrong with certificates; nothing, if both are missing. */
export interface CertificateState {
  /** Nobody can connect. */
  readonly error?: string;
  /** It will come to that. */
  readonly warning?: string;
  /** When the first of them ends, in milliseconds since 1970. */
  readonly end?: number;
}

/** Less of a certificate's time is left than this part of it: whoever renews certificates should have done so. */
const SHORT = 0.1;

/**
 * Looks at the CAs that an API server is told to trust.
 *
 * @param bundle PEM texts in base64, as webhook configurations have it
 * @param now milliseconds since 1970
 */
export function bundleState(bundle: string | undefined, now: number): CertificateState {
  if (!bundle) return { error: 'names no CA, so that the API server trusts nobody who serves the webhook' };
  const authorities = certificatesIn(Buffer.from(bundle, 'base64').toString());
  if (authorities === undefined || authorities.length === 0) return { error: 'names a CA that is no certificate' };
  // Of several, one that is valid is enough: so a CA is replaced.
  const best = authorities.reduce((a, b) => (Date.parse(b.validTo) > Date.parse(a.validTo) ? b : a));
  return validity(best, 'its CA', now);
}

/**
 * Looks at the certificate that the webhook shows.
 *
 * @param pem as the Secret has it
 * @param bundle the CAs that the API server trusts, in base64
 * @param host name of the server, which the certificate has to be for
 */
export function leafState(pem: string, bundle: string | undefined, host: string, now: number): CertificateState {
  const [leaf] = certificatesIn(pem) ?? [];
  if (!leaf) return { error: 'its Secret has no certificate that can be read' };
  if (!leaf.checkHost(host)) return { error: `its certificate is not for ${host}` };
  const authorities = certificatesIn(Buffer.from(bundle ?? '', 'base64').toString()) ?? [];
  const isDirect = certificatesIn(pem)!.length === 1;
  if (isDirect && !authorities.some((authority) => leaf.verify(authority.publicKey))) return { error: 'its certificate is not signed by the CA that the API server is told to trust' };
  return validity(leaf, 'its certificate', now);
}

function validity(certificate: X509Certificate, what: string, now: number): CertificateState {
  const [begin, end] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (now >= end) return { error: `${what} ended ${shortDuration(now - end)} ago`, end };
  if (now < begin) return { error: `${what} is valid only in ${shortDuration(begin - now)}: do the clocks differ?`, end };
  return end - now < SHORT * (end - begin) ? { warning: `${what} ends in ${shortDuration(end - now)}`, end } : { end };
}

/** @returns undefined if one of them cannot be read */
function certificatesIn(pem: string): X509Certificate[] | undefined {
  try {
    return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}
