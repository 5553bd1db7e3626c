import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Identity } from '../../../kube/x509/x509';

/**
 * Content of the Secret: PEM texts by key. The first four keys have the names of kubeflow's
 * operator. Any other key belongs to another owner.
 */
export interface CertificateTexts {
  /** The CA that signs. */
  readonly 'ca-key.pem'?: string;
  readonly 'ca-cert.pem'?: string;
  /** The certificate that the server shows. */
  readonly 'server-key.pem'?: string;
  readonly 'server-cert.pem'?: string;
  /** The CA that signs next, once all clients are known to trust it. */
  readonly 'next-ca-key.pem'?: string;
  readonly 'next-ca-cert.pem'?: string;
  /** Certificates of previous CAs until they expire. A server can still show their certificates. */
  readonly 'retired-ca-certs.pem'?: string;
}

/** The keys of the Secret that the operator owns. */
export const TEXT_KEYS = [
  'ca-key.pem', 'ca-cert.pem', 'server-key.pem', 'server-cert.pem', 'next-ca-key.pem', 'next-ca-cert.pem', 'retired-ca-certs.pem',
] as const satisfies readonly (keyof CertificateTexts)[];

/** The usable parts of the Secret, and the faults of the others. */
export interface StoredCertificates {
  readonly authority: Identity | Fault;
  readonly leaf: Identity | Fault;
  /** Undefined if there is none, which is the usual case. */
  readonly next: Identity | Fault | undefined;
  /** Previous CAs, the newest first. */
  readonly retired: readonly X509Certificate[];
  /** The fault of the certificates that are missing in `retired`. */
  readonly retiredFault?: Fault;
}

/**
 * Why a text cannot be used, as the end of a sentence that begins with its key. It contains nothing
 * of the stored text.
 */
export class Fault {
  constructor(readonly reason: string) {}
}

/** Tolerated difference between clocks, in milliseconds. */
const CLOCK_TOLERANCE = 5 * 60_000;
/**
 * Maximum number of previous CAs. Usually there is one, for some months. The operator never writes
 * more than these.
 */
const MAX_RETIRED = 8;

/** Reads and checks the stored texts. `now`: milliseconds since the epoch. */
export function readStored(texts: CertificateTexts, now: number): StoredCertificates {
  const authority = authorityOf(texts['ca-cert.pem'], texts['ca-key.pem'], now);
  const hasNext = texts['next-ca-cert.pem'] !== undefined || texts['next-ca-key.pem'] !== undefined;
  return {
    authority,
    leaf: leafOf(texts['server-cert.pem'], texts['server-key.pem'], authority, now),
    next: hasNext ? authorityOf(texts['next-ca-cert.pem'], texts['next-ca-key.pem'], now) : undefined,
    ...retiredOf(texts['retired-ca-certs.pem'], now),
  };
}

/** Returns when a certificate expires, in milliseconds since the epoch. */
export const endOf = (certificate: X509Certificate): number => certificate.validToDate.getTime();
export const beginningOf = (certificate: X509Certificate): number => certificate.validFromDate.getTime();

function authorityOf(cert: string | undefined, key: string | undefined, now: number): Identity | Fault {
  const identity = identityOf(cert, key, now);
  if (identity instanceof Fault) return identity;
  const { certificate } = identity;
  if (!certificate.ca) return new Fault('is not the certificate of a CA');
  if (identity.key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return new Fault('has a key of another kind than P-256');
  if (!isIssuedBy(certificate, certificate)) return new Fault('is not signed by itself');
  return identity;
}

function leafOf(cert: string | undefined, key: string | undefined, authority: Identity | Fault, now: number): Identity | Fault {
  const identity = identityOf(cert, key, now);
  if (identity instanceof Fault) return identity;
  if (authority instanceof Fault || !isIssuedBy(identity.certificate, authority.certificate)) return new Fault('is not signed by the CA');
  return identity;
}

function identityOf(cert: string | undefined, key: string | undefined, now: number): Identity | Fault {
  if (!cert || !key) return new Fault(cert || key ? 'is without its other half' : 'is not there');
  const certificate = certificateOf(cert);
  if (!certificate) return new Fault('is not a certificate');
  const privateKey = keyOf(key);
  if (!privateKey) return new Fault('has something for a key that is none');
  if (!certificate.checkPrivateKey(privateKey)) return new Fault('does not fit its key');
  if (endOf(certificate) <= now) return new Fault('has expired');
  if (beginningOf(certificate) > now + CLOCK_TOLERANCE) return new Fault('is not valid yet');
  return { certificate, key: privateKey };
}

function retiredOf(text: string | undefined, now: number): Pick<StoredCertificates, 'retired' | 'retiredFault'> {
  if (text === undefined) return { retired: [] };
  const all = (text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []).slice(0, MAX_RETIRED + 1).map(certificateOf);
  const usable = all.filter((certificate) => certificate?.ca).map((certificate) => certificate!);
  const retired = usable.filter((certificate) => endOf(certificate) > now).slice(0, MAX_RETIRED);
  if (all.length === 0 || usable.length < all.length || all.length > MAX_RETIRED) {
    return { retired, retiredFault: new Fault('has something in it that is no certificate of a CA of ours') };
  }
  return {
    retired,
    ...(retired.length < usable.length && { retiredFault: new Fault('has one that has expired, and with it all that it signed') }),
  };
}

function certificateOf(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

function keyOf(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}

function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** Returns the DNS names of a certificate. */
export function hostsOf({ subjectAltName = '' }: X509Certificate): string[] {
  return subjectAltName.split(', ').filter((name) => /^DNS:[a-z0-9.-]+$/.test(name)).map((name) => name.slice('DNS:'.length));
}
