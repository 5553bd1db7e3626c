import { createHash, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { bitString, explicit, implicit, objectIdentifier, octetString, partsOf, sequence, set, time, TRUE, unsignedInteger, utf8String } from './der';

/**
 * Certificates (RFC 5280) with keys of the curve P-256. Keys, signatures and reading are those of node:crypto, which has nothing that writes a
 * certificate; see docs/decisions/0016-certificates.md.
 */

/** A certificate with its private key. */
export interface Identity {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

/** What is new in a new certificate. */
export interface Fresh {
  /** Keys of the curve P-256. */
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  /** The serial number, up to 20 bytes of which the first bit is not set; random, so that no two certificates of a CA have the same. */
  readonly serial: Uint8Array;
  /** Milliseconds since the epoch; certificates have whole seconds. */
  readonly notBefore: number;
  readonly notAfter: number;
}

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const COMMON_NAME = objectIdentifier('2.5.4.3');
const SERVER_AUTH = objectIdentifier('1.3.6.1.5.5.7.3.1');
const VERSION_3 = explicit(0, unsignedInteger(Buffer.of(2)));
/** Bits of KeyUsage, counted from the first of the byte (RFC 5280, 4.2.1.3). */
const DIGITAL_SIGNATURE = 0;
const KEY_CERT_SIGN = 5;
/** Where the subject is in the signed part of a certificate with a version. */
const SUBJECT = 5;

/**
 * Makes a CA that may sign certificates of servers, but no other CA.
 *
 * @param name the first part of its name; the second comes from its key, so that no two CAs have the same name
 */
export function issueAuthority(name: string, fresh: Fresh): Identity {
  const { publicKey, privateKey } = fresh.keys;
  const subject = distinguishedName(`${name} ${keyIdentifier(publicKey).toString('hex', 0, 4)}`);
  return issue(fresh, { issuer: subject, subject, signer: privateKey }, [
    extension('2.5.29.19', sequence(TRUE, unsignedInteger(Buffer.of(0))), 'critical'),
    extension('2.5.29.15', keyUsage(KEY_CERT_SIGN), 'critical'),
    extension('2.5.29.14', octetString(keyIdentifier(publicKey))),
  ]);
}

/**
 * Makes the certificate of a server.
 *
 * @param authority its key is of the curve P-256
 * @param name its common name, which says something to people only; up to 64 characters
 * @param hosts DNS names that clients find the server by
 */
export function issueServerCertificate(authority: Identity, name: string, hosts: readonly string[], fresh: Fresh): Identity {
  const { certificate, key: signer } = authority;
  const authorityKey = keyIdentifier(certificate.publicKey);
  const issuer = partsOf(partsOf(certificate.raw)[0]!)[SUBJECT]!;
  return issue(fresh, { issuer, subject: distinguishedName(name), signer }, [
    extension('2.5.29.19', sequence(), 'critical'),
    extension('2.5.29.15', keyUsage(DIGITAL_SIGNATURE), 'critical'),
    extension('2.5.29.37', sequence(SERVER_AUTH)),
    extension('2.5.29.17', sequence(...hosts.map((host) => implicit(2, Buffer.from(host, 'ascii'))))),
    extension('2.5.29.14', octetString(keyIdentifier(fresh.keys.publicKey))),
    // A CA that others made may name its key in another way; a name that differs from it would make the certificate worthless.
    ...(certificate.raw.includes(authorityKey) ? [extension('2.5.29.35', sequence(implicit(0, authorityKey)))] : []),
  ]);
}

function issue(
  { keys, serial, notBefore, notAfter }: Fresh,
  { issuer, subject, signer }: { readonly issuer: Buffer; readonly subject: Buffer; readonly signer: KeyObject },
  extensions: readonly Buffer[],
): Identity {
  const signed = sequence(
    VERSION_3,
    unsignedInteger(serial),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  );
  const certificate = sequence(signed, ECDSA_WITH_SHA256, bitString(sign('sha256', signed, signer)));
  return { certificate: new X509Certificate(certificate), key: keys.privateKey };
}

function distinguishedName(commonName: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, utf8String(commonName))));
}

function extension(identifier: string, value: Buffer, critical?: 'critical'): Buffer {
  return sequence(objectIdentifier(identifier), ...(critical ? [TRUE] : []), octetString(value));
}

function keyUsage(bit: number): Buffer {
  return bitString(Buffer.of(2 ** (7 - bit)), 7 - bit);
}

/** The first 160 bits of the SHA-256 hash of the key's bits (RFC 7093, 2, method 1). */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const bits = partsOf(publicKey.export({ type: 'spki', format: 'der' }))[1]!;
  // Its tag, its length (one byte: the key is short; for others any identifier will do) and the count of unused bits are not hashed.
  return createHash('sha256').update(bits.subarray(3)).digest().subarray(0, 20);
}
