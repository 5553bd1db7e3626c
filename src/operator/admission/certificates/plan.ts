import type { X509Certificate } from 'node:crypto';
import { type Fresh, type Identity, issueAuthority, issueCertificate } from '../../../kube/x509/x509';
import type { ServingCertificate } from './source';
import { beginningOf, type CertificateTexts, endOf, Fault, hostsOf, readStored } from './stored';
import { MAX_LIFETIME, MIN_LIFETIME } from '../../../flags/webhook';

/** Lifetimes of the certificates, in milliseconds. */
export interface CertificateSettings {
  /** Lifetime of the server's certificate. It is renewed after two thirds of that time. */
  readonly lifetime: number;
  /**
   * Lifetime of the CA. It is renewed after two thirds of that time. Its certificates do not
   * outlive it.
   */
  readonly authorityLifetime: number;
  /**
   * Time that a new CA spends in the webhook configurations before it signs. All API servers know
   * it by then.
   */
  readonly propagation: number;
}

const HOUR = 3_600_000;
/** Certificates become valid this long before they are issued, because clocks differ. */
const MAX_CLOCK_SKEW = 5 * 60_000;

/**
 * Returns the settings for a lifetime of the server's certificate. A CA lives four times as long.
 * The last third of that is longer than the lifetime of its certificates. The CA is also renewed
 * every few months, instead of first after ten years.
 *
 * @param lifetime milliseconds, from 3 seconds to ten years. Default: 90 days, as in cert-manager
 * @throws {RangeError} for another lifetime
 */
export function certificateSettings(lifetime = 90 * 24 * HOUR): CertificateSettings {
  if (!(lifetime >= MIN_LIFETIME && lifetime <= MAX_LIFETIME)) {
    throw new RangeError(`the lifetime of webhook certificates is ${lifetime} ms; it has to be from 3 seconds to 10 years`);
  }
  return { lifetime, authorityLifetime: 4 * lifetime, propagation: Math.min(HOUR, lifetime / 10) };
}

/** Input of a plan. */
export interface PlanInput {
  /** The content of the Secret. */
  readonly stored: CertificateTexts;
  /** Common name of the server; up to 50 characters. */
  readonly name: string;
  /** DNS names of the server. */
  readonly hosts: readonly string[];
  readonly settings: CertificateSettings;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * Returns since when all clients have had a CA, in milliseconds since the epoch; undefined if one
   * lacks it. `authority` is its PEM text.
   */
  readonly trustedSince: (authority: string) => number | undefined;
  /** Returns new keys and a new serial number. */
  readonly newKeys: () => Pick<Fresh, 'keys' | 'serial'>;
}

/** The desired certificates. */
export interface CertificatePlan {
  /** Desired content of the Secret. The operator removes its own keys that are missing here. */
  readonly texts: CertificateTexts;
  /** Reasons for changing the Secret, for the log; empty if it is up to date. */
  readonly why: readonly string[];
  /** Certificates that clients need to trust, in PEM. */
  readonly bundle: string;
  /** The certificate to serve to clients that trust `servedBy`. */
  readonly serving: ServingCertificate;
  /** The CA that signed it, as in `trustedSince`. */
  readonly servedBy: string;
  /** When the served certificate expires, in milliseconds since the epoch. */
  readonly notAfter: number;
  /** When to reconcile next at the latest, in milliseconds since the epoch. */
  readonly requeueAt: number;
}

/**
 * Plans the content of the Secret, the bundle and the server's certificate.
 *
 * It replaces a CA in steps, one write each. First it adds the next CA to the Secret and the
 * bundle. The next CA signs once all clients have had the bundle for a while. The previous CA stays
 * in the bundle until it expires, because a disconnected server might still show its certificates.
 * Clients therefore always trust the servers, unless one of them is disconnected for longer than
 * the steps take.
 *
 * Unusable certificates are not repaired. Without a usable CA everything is issued again, and no
 * previous CA is trusted.
 */
export function planCertificates(input: PlanInput): CertificatePlan {
  const { stored, hosts, settings, now, trustedSince } = input;
  const { retired: stillTrusted, retiredFault, ...found } = readStored(stored, now);
  const why: string[] = [];
  let retired = stillTrusted;
  if (retiredFault) why.push(`retired-ca-certs.pem ${retiredFault.reason}`);
  let next = found.next instanceof Fault ? undefined : found.next;
  if (found.next instanceof Fault) why.push(`next-ca-cert.pem ${found.next.reason}`);

  let authority: Identity;
  if (!(found.authority instanceof Fault)) {
    ({ authority } = found);
  } else if (next) {
    why.push(`ca-cert.pem ${found.authority.reason}: the next CA takes its place`);
    authority = next;
    next = undefined;
  } else {
    why.push(isEmpty(stored) ? 'there are no certificates yet' : `ca-cert.pem ${found.authority.reason}: all certificates are replaced`);
    authority = newAuthority(input);
    retired = [];
  }

  const replaced = next && trustedSince(textOf(next.certificate));
  if (next && replaced !== undefined && now >= replaced + settings.propagation) {
    why.push('the next CA is trusted everywhere: it replaces the previous one');
    retired = [authority.certificate, ...retired];
    authority = next;
    next = undefined;
  }
  if (!next && now >= renewalOf(authority.certificate, settings.authorityLifetime)) {
    why.push('two thirds of the time of the CA are over: there is to be a next one');
    next = newAuthority(input);
  }

  let leaf: Identity | Fault = found.leaf;
  const signer = authority.certificate;
  if (authority !== found.authority) {
    leaf = newLeaf(input, authority);
  } else if (leaf instanceof Fault) {
    why.push(`server-cert.pem ${leaf.reason}: there is a new one`);
    leaf = newLeaf(input, authority);
  } else if (now >= leafRenewalOf(leaf, authority, settings)) {
    why.push('two thirds of the time of server-cert.pem are over: there is a new one');
    leaf = newLeaf(input, authority);
  } else {
    const before = hostsOf(leaf.certificate);
    const missing = hosts.filter((host) => !before.includes(host));
    if (missing.length > 0) {
      why.push(`server-cert.pem is not for ${missing.join(', ')}: there is a new one`);
      // Keeps the previous names. Otherwise replicas with different host names would replace each
      // other's certificates.
      leaf = newLeaf(input, authority, before);
    }
  }

  const known = new Set([signer, next?.certificate].map((certificate) => certificate?.fingerprint256));
  retired = retired.filter(({ fingerprint256 }) => !known.has(fingerprint256));
  const waiting = next && trustedSince(textOf(next.certificate));
  return {
    texts: textsOf(authority, leaf, next, retired),
    why,
    bundle: [signer, ...(next ? [next.certificate] : []), ...retired].map(textOf).join(''),
    serving: { cert: textOf(leaf.certificate) + textOf(signer), key: keyText(leaf) },
    servedBy: textOf(signer),
    notAfter: endOf(leaf.certificate),
    requeueAt: Math.min(
      leafRenewalOf(leaf, authority, settings),
      endOf(leaf.certificate),
      next ? endOf(signer) : renewalOf(signer, settings.authorityLifetime),
      waiting === undefined ? Infinity : waiting + settings.propagation,
      ...retired.map(endOf),
    ),
  };
}

/**
 * Returns the time after two thirds of the lifetime. The configured lifetime applies if it has
 * become shorter than the certificate's.
 */
function renewalOf(certificate: X509Certificate, lifetime: number): number {
  const beginning = beginningOf(certificate);
  return beginning + Math.min(endOf(certificate) - beginning, lifetime + skewOf(lifetime)) * 2 / 3;
}

/**
 * Returns when to renew a server certificate. One that expires together with its CA is not renewed,
 * because a new one would not last longer.
 */
function leafRenewalOf(leaf: Identity, authority: Identity, { lifetime }: CertificateSettings): number {
  return endOf(leaf.certificate) >= endOf(authority.certificate) ? Infinity : renewalOf(leaf.certificate, lifetime);
}

function newAuthority({ name, settings, now, newKeys }: PlanInput): Identity {
  return issueAuthority(`${name} CA`, { ...newKeys(), ...validity(now, settings.authorityLifetime) });
}

function newLeaf({ name, hosts, settings, now, newKeys }: PlanInput, authority: Identity, others: readonly string[] = []): Identity {
  const { notBefore, notAfter } = validity(now, settings.lifetime);
  const end = Math.min(notAfter, endOf(authority.certificate));
  const fresh = { ...newKeys(), notBefore, notAfter: end };
  return issueCertificate(authority, { commonName: name }, [...new Set([...hosts, ...others])], fresh);
}

function validity(now: number, lifetime: number): { notBefore: number; notAfter: number } {
  return { notBefore: now - skewOf(lifetime), notAfter: now + lifetime };
}

function skewOf(lifetime: number): number {
  return Math.min(MAX_CLOCK_SKEW, lifetime / 10);
}

function isEmpty(stored: CertificateTexts): boolean {
  return Object.keys(stored).length === 0;
}

function textsOf(authority: Identity, leaf: Identity, next: Identity | undefined, retired: readonly X509Certificate[]): CertificateTexts {
  return {
    'ca-key.pem': keyText(authority),
    'ca-cert.pem': textOf(authority.certificate),
    'server-key.pem': keyText(leaf),
    'server-cert.pem': textOf(leaf.certificate),
    ...(next && { 'next-ca-key.pem': keyText(next), 'next-ca-cert.pem': textOf(next.certificate) }),
    ...(retired.length > 0 && { 'retired-ca-certs.pem': retired.map(textOf).join('') }),
  };
}

function textOf(certificate: X509Certificate): string {
  return certificate.toString();
}

function keyText({ key }: Identity): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
