import type { X509Certificate } from 'node:crypto';
import { type Fresh, type Identity, issueAuthority, issueCertificate } from '../../../kube/x509/x509';
import type { ServingCertificate } from './source';
import { beginningOf, type CertificateTexts, endOf, Fault, hostsOf, readStored } from './stored';
import { MAX_LIFETIME, MIN_LIFETIME } from '../../../flags/webhook';

/** For how long certificates are valid, and how they are renewed. In milliseconds. */
export interface CertificateSettings {
  /** Of the server's certificate. It is renewed after two thirds of it. */
  readonly lifetime: number;
  /** Of the CA. It is renewed after two thirds of it; what it signs does not outlive it. */
  readonly authorityLifetime: number;
  /** For how long a new CA has been in the webhook configurations before it signs: all API servers have heard of it by then. */
  readonly propagation: number;
}

const HOUR = 3_600_000;
/** So much before they are made certificates begin to be valid, as clocks differ. */
const MAX_CLOCK_SKEW = 5 * 60_000;

/**
 * The settings that follow from the lifetime of the server's certificate: a CA lives four times as long, so that its renewal has a third of
 * that, which is longer than what it signs, and is something that is done every few months and not first in ten years.
 *
 * @param lifetime milliseconds, from 3 seconds to ten years. Default: 90 days, the default of cert-manager
 * @throws {RangeError} for another lifetime
 */
export function certificateSettings(lifetime = 90 * 24 * HOUR): CertificateSettings {
  if (!(lifetime >= MIN_LIFETIME && lifetime <= MAX_LIFETIME)) throw new RangeError(`the lifetime of webhook certificates is ${lifetime} ms; it has to be from 3 seconds to 10 years`);
  return { lifetime, authorityLifetime: 4 * lifetime, propagation: Math.min(HOUR, lifetime / 10) };
}

/** All that a plan is made of. */
export interface PlanInput {
  /** What the Secret has. */
  readonly stored: CertificateTexts;
  /** What the server is called in people's eyes; up to 50 characters. */
  readonly name: string;
  /** DNS names that the server is found by. */
  readonly hosts: readonly string[];
  readonly settings: CertificateSettings;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Since when all clients are seen to be given a CA, which is its PEM text; undefined if they are not. */
  readonly trustedSince: (authority: string) => number | undefined;
  /** New keys and a new serial number. */
  readonly newKeys: () => Pick<Fresh, 'keys' | 'serial'>;
}

/** What is to be. */
export interface CertificatePlan {
  /** What the Secret is to have; keys that are not here are to go. */
  readonly texts: CertificateTexts;
  /** Why that is not what it has; empty if it is. For the log. */
  readonly why: readonly string[];
  /** What clients are to trust: certificates in PEM. */
  readonly bundle: string;
  /** What is to be served to those who trust `servedBy`. */
  readonly serving: ServingCertificate;
  /** The CA that signed it, as in `trustedSince`. */
  readonly servedBy: string;
  /** When what is served ends. Milliseconds since the epoch. */
  readonly notAfter: number;
  /** When there is something to be done if nothing else happens. Milliseconds since the epoch. */
  readonly requeueAt: number;
}

/**
 * What the Secret, the bundle and the server are to have.
 *
 * A CA is replaced in steps, each of which one write makes: a next CA is put beside it, and into the bundle; it signs once the bundle has been
 * with all clients for a while; the one before stays in the bundle until it ends, as a server that was out of touch may show what it signed. So at
 * each time clients trust what servers show, if neither is out of touch for longer than the steps take.
 *
 * What is of no use is not mended: without a CA all is made anew, and nothing of before is trusted.
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
    why.push(isEmpty(stored) ? 'there are no certificates yet' : `ca-cert.pem ${found.authority.reason}: all is made anew`);
    authority = newAuthority(input);
    retired = [];
  }

  const replaced = next && trustedSince(textOf(next.certificate));
  if (next && replaced !== undefined && now >= replaced + settings.propagation) {
    why.push('the next CA is trusted everywhere: it takes the place of the one before');
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
      // The names of before, too: replicas that are to be known by another name would replace what each other makes.
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

/** After two thirds of its time, or of the time that there is to be if that has become shorter. */
function renewalOf(certificate: X509Certificate, lifetime: number): number {
  const beginning = beginningOf(certificate);
  return beginning + Math.min(endOf(certificate) - beginning, lifetime + skewOf(lifetime)) * 2 / 3;
}

/** As for a CA; but one that ends with its CA is not renewed for nothing. */
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
