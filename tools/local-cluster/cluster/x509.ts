import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

/**
 * Just enough of X.509 for a private certificate authority. Node makes keys and signatures but no certificates, and
 * writing the few structures takes milliseconds where a dozen runs of openssl take seconds.
 */

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Subject {
  readonly organization?: string;
  readonly commonName: string;
}

export interface Authority extends Certificate {
  readonly subject: Subject;
  readonly keys: KeyPair;
}

const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
};

const YEAR_MS = 365 * 24 * 3600 * 1000;

export function generateKeys(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

export function privateKeyPem(keys: KeyPair): string {
  return keys.privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

export function createAuthority(commonName: string): Authority {
  const keys = generateKeys();
  const subject = { commonName };
  const certificate = sealed(subject, keys, subject, keys, [
    extension(OID.basicConstraints, sequence(boolean(true)), true),
    extension(OID.keyUsage, bits(0b1000_0110, 1), true), // digitalSignature, keyCertSign, cRLSign
  ]);
  return { subject, keys, certificate, key: privateKeyPem(keys) };
}

/** A certificate for a client as well as a server. */
export function issue(authority: Authority, subject: Subject, alternativeNames: readonly string[] = []): Certificate {
  const keys = generateKeys();
  const names = alternativeNames.map((alternative) => (isIPv4(alternative)
    ? tlv(0x87, Buffer.from(alternative.split('.').map(Number)))
    : tlv(0x82, Buffer.from(alternative, 'ascii'))));
  const certificate = sealed(subject, keys, authority.subject, authority.keys, [
    extension(OID.basicConstraints, sequence(), true),
    extension(OID.keyUsage, bits(0b1000_0000, 7), true), // digitalSignature
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth), oid(OID.clientAuth))),
    ...(names.length > 0 ? [extension(OID.subjectAltName, sequence(...names))] : []),
  ]);
  return { certificate, key: privateKeyPem(keys) };
}

function sealed(subject: Subject, keys: KeyPair, issuer: Subject, issuerKeys: KeyPair, extensions: Buffer[]): string {
  const now = Date.now();
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(
    tlv(0xa0, integer(Buffer.from([2]))), // version 3
    integer(serialNumber()),
    algorithm,
    name(issuer),
    // From an hour ago, in case that another clock is behind.
    sequence(time(new Date(now - 3600_000)), time(new Date(now + 10 * YEAR_MS))),
    name(subject),
    publicKey,
    tlv(0xa3, sequence(
      ...extensions,
      extension(OID.subjectKeyIdentifier, tlv(0x04, keyIdentifier(keys))),
      extension(OID.authorityKeyIdentifier, sequence(tlv(0x80, keyIdentifier(issuerKeys)))),
    )),
  );
  const signature = sign('sha256', body, issuerKeys.privateKey);
  const der = sequence(body, algorithm, tlv(0x03, Buffer.from([0]), signature));
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = 0x40 + (bytes[0]! % 0x40); // positive, and no leading zero
  return bytes;
}

function keyIdentifier(keys: KeyPair): Buffer {
  return createHash('sha1').update(keys.publicKey.export({ type: 'spki', format: 'der' })).digest();
}

function name(subject: Subject): Buffer {
  const attribute = (type: string, value: string) => tlv(0x31, sequence(oid(type), tlv(0x0c, Buffer.from(value, 'utf8'))));
  return sequence(
    ...(subject.organization === undefined ? [] : [attribute(OID.organization, subject.organization)]),
    attribute(OID.commonName, subject.commonName),
  );
}

function extension(type: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(type), ...(critical ? [boolean(true)] : []), tlv(0x04, value));
}

/** DER: a tag, the length, the contents. */
function tlv(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, content]);
}

function sequence(...items: Buffer[]): Buffer {
  return tlv(0x30, ...items);
}

function integer(bytes: Buffer): Buffer {
  return tlv(0x02, bytes);
}

function boolean(value: boolean): Buffer {
  return tlv(0x01, Buffer.from([value ? 0xff : 0]));
}

function bits(byte: number, unused: number): Buffer {
  return tlv(0x03, Buffer.from([unused, byte]));
}

function time(date: Date): Buffer {
  // UTCTime, which ends with the year 2049.
  const digits = date.toISOString().replace(/[-:T]/g, '');
  return tlv(0x17, Buffer.from(`${digits.slice(2, 14)}Z`, 'ascii'));
}

function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number);
  const bytes = [first! * 40 + second!];
  for (const number of rest) {
    const septets = [number % 0x80];
    for (let left = Math.floor(number / 0x80); left > 0; left = Math.floor(left / 0x80)) septets.unshift(0x80 + (left % 0x80));
    bytes.push(...septets);
  }
  return tlv(0x06, Buffer.from(bytes));
}
