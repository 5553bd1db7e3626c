import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIPv4 } from 'node:net';

/* eslint-disable no-bitwise -- DER consists of bits */

/**
 * Certificates (RFC 5280) with keys of the curve P-256. node:crypto creates keys and signatures and
 * reads certificates, but cannot write them; see docs/explain/decisions/0016-certificates.md. Node
 * runs this file without a build for the local cluster. So it only imports modules of Node, and
 * its types can be erased.
 */

/** A certificate with its private key. */
export interface Identity {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

/** The name of a certificate's owner. Up to 64 characters each. */
export interface Subject {
  readonly commonName: string;
  /** The API server reads it as a group. @default - none */
  readonly organization?: string;
}

/** The parts of a certificate that are new in each. */
export interface Fresh {
  /** Keys of the curve P-256. */
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  /**
   * Serial number: up to 20 random bytes, as a positive number. No other certificate of the CA has
   * it.
   */
  readonly serial: Uint8Array;
  /** Milliseconds since the epoch; certificates have whole seconds. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Ways to use a certificate. */
export type Usage = 'server' | 'client';

/** Tags of DER (ITU-T X.690) that certificates need. */
const Tag = {
  Boolean: 0x01,
  Integer: 0x02,
  BitString: 0x03,
  OctetString: 0x04,
  ObjectIdentifier: 0x06,
  Utf8String: 0x0c,
  UtcTime: 0x17,
  GeneralizedTime: 0x18,
  Sequence: 0x30,
  Set: 0x31,
} as const;

/** Bits of a tag byte: a context-specific tag, and a constructed one. */
const CONTEXT = 0x80;
const CONSTRUCTED = 0x20;

const TRUE = element(Tag.Boolean, Buffer.of(0xff));
const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const COMMON_NAME = objectIdentifier('2.5.4.3');
const ORGANIZATION = objectIdentifier('2.5.4.10');
const USAGES: Readonly<Record<Usage, Buffer>> = {
  server: objectIdentifier('1.3.6.1.5.5.7.3.1'),
  client: objectIdentifier('1.3.6.1.5.5.7.3.2'),
};
const VERSION_3 = explicit(0, unsignedInteger(Buffer.of(2)));
/** Bits of KeyUsage, counted from the first of the byte (RFC 5280, 4.2.1.3). */
const DIGITAL_SIGNATURE = 0;
const KEY_CERT_SIGN = 5;
/** Position of the subject in the signed part of a certificate with a version. */
const SUBJECT = 5;
/** Choices of GeneralName (RFC 5280, 4.2.1.6). */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** Returns a new key pair and a random serial number. */
export function newKeys(): Pick<Fresh, 'keys' | 'serial'> {
  const serial = randomBytes(16);
  // A positive number that is not zero.
  serial[0] = 0x40 + serial[0]! % 0x40;
  return { keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }), serial };
}

/**
 * Creates a CA that can sign certificates of servers and clients, but no other CA.
 *
 * @param name first part of its name. The second part comes from its key, so two CAs never have the
 * same name
 */
export function issueAuthority(name: string, fresh: Fresh): Identity {
  const { publicKey, privateKey } = fresh.keys;
  const subject = distinguishedName({ commonName: `${name} ${keyIdentifier(publicKey).toString('hex', 0, 4)}` });
  return issue(fresh, { issuer: subject, subject, signer: privateKey }, [
    extension('2.5.29.19', sequence(TRUE, unsignedInteger(Buffer.of(0))), 'critical'),
    extension('2.5.29.15', keyUsage(KEY_CERT_SIGN), 'critical'),
    extension('2.5.29.14', octetString(keyIdentifier(publicKey))),
  ]);
}

/**
 * Creates the certificate of a server or a client.
 *
 * @param authority its key is of the curve P-256
 * @param hosts DNS names and IPv4 addresses of a server; if there are none, the certificate has no
 * subjectAltName
 */
export function issueCertificate(
  authority: Identity, subject: Subject, hosts: readonly string[], fresh: Fresh, usages: readonly Usage[] = ['server'],
): Identity {
  const { certificate, key: signer } = authority;
  const authorityKey = keyIdentifier(certificate.publicKey);
  const issuer = partsOf(partsOf(certificate.raw)[0]!)[SUBJECT]!;
  return issue(fresh, { issuer, subject: distinguishedName(subject), signer }, [
    extension('2.5.29.19', sequence(), 'critical'),
    extension('2.5.29.15', keyUsage(DIGITAL_SIGNATURE), 'critical'),
    extension('2.5.29.37', sequence(...usages.map((usage) => USAGES[usage]))),
    ...(hosts.length > 0 ? [extension('2.5.29.17', sequence(...hosts.map(generalName)))] : []),
    extension('2.5.29.14', octetString(keyIdentifier(fresh.keys.publicKey))),
    // The identifier of a foreign CA's key might have another form; with a different one, clients
    // would reject the certificate.
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

function distinguishedName({ organization, commonName }: Subject): Buffer {
  const part = (type: Buffer, text: string) => element(Tag.Set, sequence(type, element(Tag.Utf8String, Buffer.from(text))));
  return sequence(...(organization === undefined ? [] : [part(ORGANIZATION, organization)]), part(COMMON_NAME, commonName));
}

function generalName(host: string): Buffer {
  return isIPv4(host) ? implicit(IP_ADDRESS, Buffer.from(host.split('.').map(Number))) : implicit(DNS_NAME, Buffer.from(host, 'ascii'));
}

function extension(identifier: string, value: Buffer, critical?: 'critical'): Buffer {
  return sequence(objectIdentifier(identifier), ...(critical ? [TRUE] : []), octetString(value));
}

function keyUsage(bit: number): Buffer {
  return bitString(Buffer.of(2 ** (7 - bit)), 7 - bit);
}

/** Returns the first 160 bits of the SHA-256 hash of the key's bits (RFC 7093, 2, method 1). */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const bits = partsOf(publicKey.export({ type: 'spki', format: 'der' }))[1]!;
  // The hash excludes the tag, the length, and the count of unused bits. The length has one byte:
  // the key is short, and any identifier suits others.
  return createHash('sha256').update(bits.subarray(3)).digest().subarray(0, 20);
}

/* Each of the following functions returns an element of DER: tag, length, content. */

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return element(Tag.Sequence, ...parts);
}

function octetString(content: Uint8Array): Buffer {
  return element(Tag.OctetString, content);
}

/** Returns `[number] EXPLICIT`. */
function explicit(number: number, part: Uint8Array): Buffer {
  return element(CONTEXT | CONSTRUCTED | number, part);
}

/** Returns `[number] IMPLICIT` of a primitive type: the content is that of the type. */
function implicit(number: number, content: Uint8Array): Buffer {
  return element(CONTEXT | number, content);
}

/** @param bytes a number that is not negative, most significant byte first */
function unsignedInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Buffer.of(0) : bytes.subarray(first);
  // The first bit is the sign.
  return element(Tag.Integer, ...(shortest[0]! & 0x80 ? [Buffer.of(0)] : []), shortest);
}

/** @param unusedBits at the end of the last byte */
function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return element(Tag.BitString, Buffer.of(unusedBits), content);
}

/** @param dotted for example `2.5.29.17` */
function objectIdentifier(dotted: string): Buffer {
  const [first, second, ...others] = dotted.split('.').map(Number);
  const bytes = [first! * 40 + second!, ...others].flatMap((number) => {
    const digits = [number % 128];
    for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 0x80);
    return digits;
  });
  return element(Tag.ObjectIdentifier, Buffer.from(bytes));
}

/**
 * Returns a time in whole seconds. The year has two digits until 2049, and then four (RFC 5280,
 * 4.1.2.5).
 *
 * @param milliseconds since the epoch
 */
function time(milliseconds: number): Buffer {
  const date = new Date(milliseconds);
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? element(Tag.UtcTime, Buffer.from(text.slice(2)))
    : element(Tag.GeneralizedTime, Buffer.from(text));
}

/** Returns the elements inside an element whose structure is known to be right. */
function partsOf(whole: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = contentOf(whole, 0).start; at < whole.length;) {
    const { end } = contentOf(whole, at);
    parts.push(whole.subarray(at, end));
    at = end;
  }
  return parts;
}

function contentOf(bytes: Buffer, at: number): { readonly start: number; readonly end: number } {
  const first = bytes[at + 1]!;
  const more = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + more;
  const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
  return { start, end: start + length };
}

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
