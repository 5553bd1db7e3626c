import { X509Certificate } from 'node:crypto';
import { shortDuration } from '../../text/duration';

/** Problems of certificates; none if both fields are missing. */
export interface CertificateState {
  /** Problem that prevents connections. */
  readonly error?: string;
  /** Problem that will prevent connections later. */
  readonly warning?: string;
  /** Expiry of the first certificate that expires, in milliseconds since 1970. */
  readonly end?: number;
}

/**
 * Share of a certificate's lifetime that should remain: the certificate should be renewed before.
 */
const SHORT = 0.1;

/**
 * Checks the CA bundle of a webhook configuration.
 *
 * @param bundle PEM texts in base64, as webhook configurations have it
 * @param now milliseconds since 1970
 */
export function bundleState(bundle: string | undefined, now: number): CertificateState {
  if (!bundle) return { error: 'names no CA, so that the API server trusts no server of the webhook' };
  const authorities = certificatesIn(Buffer.from(bundle, 'base64').toString());
  if (authorities === undefined || authorities.length === 0) return { error: 'names a CA that is not a certificate' };
  // One valid CA is enough: a bundle has several while a CA is replaced.
  const best = authorities.reduce((a, b) => (Date.parse(b.validTo) > Date.parse(a.validTo) ? b : a));
  return validity(best, 'its CA', now);
}

/**
 * Checks the certificate of the webhook server.
 *
 * @param pem content of the Secret
 * @param bundle CA bundle of the webhook configuration, in base64
 * @param host name of the server, which the certificate must contain
 */
export function leafState(pem: string, bundle: string | undefined, host: string, now: number): CertificateState {
  const [leaf] = certificatesIn(pem) ?? [];
  if (!leaf) return { error: 'its Secret has no readable certificate' };
  if (!leaf.checkHost(host)) return { error: `its certificate is not for ${host}` };
  const authorities = certificatesIn(Buffer.from(bundle ?? '', 'base64').toString()) ?? [];
  const isDirect = certificatesIn(pem)!.length === 1;
  if (isDirect && !authorities.some((authority) => leaf.verify(authority.publicKey))) {
    return { error: 'its certificate is not signed by the CA of the webhook configuration' };
  }
  return validity(leaf, 'its certificate', now);
}

function validity(certificate: X509Certificate, what: string, now: number): CertificateState {
  const [begin, end] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (now >= end) return { error: `${what} expired ${shortDuration(now - end)} ago`, end };
  if (now < begin) return { error: `${what} becomes valid in ${shortDuration(begin - now)}: check the clocks`, end };
  return end - now < SHORT * (end - begin) ? { warning: `${what} expires in ${shortDuration(end - now)}`, end } : { end };
}

/** @returns undefined if one of them cannot be read */
function certificatesIn(pem: string): X509Certificate[] | undefined {
  try {
    return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}
