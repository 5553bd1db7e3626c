/* eslint-disable no-bitwise -- of bits is what this is made */

/** DER (ITU-T X.690), as much of it as a certificate needs. Each function returns an element: tag, length, content. */

const enum Tag {
  Boolean = 0x01,
  Integer = 0x02,
  BitString = 0x03,
  OctetString = 0x04,
  ObjectIdentifier = 0x06,
  Utf8String = 0x0c,
  UtcTime = 0x17,
  GeneralizedTime = 0x18,
  Sequence = 0x30,
  Set = 0x31,
}

/** The first bit of a tag byte that belongs to a context, and that of a constructed one. */
const CONTEXT = 0x80;
const CONSTRUCTED = 0x20;

export const TRUE = element(Tag.Boolean, Buffer.of(0xff));

export const sequence = (...parts: readonly Uint8Array[]): Buffer => element(Tag.Sequence, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => element(Tag.Set, ...parts);
export const octetString = (content: Uint8Array): Buffer => element(Tag.OctetString, content);
export const utf8String = (text: string): Buffer => element(Tag.Utf8String, Buffer.from(text));

/** `[number] EXPLICIT`. */
export const explicit = (number: number, part: Uint8Array): Buffer => element(CONTEXT | CONSTRUCTED | number, part);
/** `[number] IMPLICIT` of a primitive type: the content is that of the type. */
export const implicit = (number: number, content: Uint8Array): Buffer => element(CONTEXT | number, content);

/** A number that is not negative, most significant byte first. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Buffer.of(0) : bytes.subarray(first);
  // The first bit is the sign.
  return element(Tag.Integer, ...(shortest[0]! & 0x80 ? [Buffer.of(0)] : []), shortest);
}

/** @param unusedBits at the end of the last byte */
export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return element(Tag.BitString, Buffer.of(unusedBits), content);
}

/** @param dotted for example `2.5.29.17` */
export function objectIdentifier(dotted: string): Buffer {
  const [first, second, ...others] = dotted.split('.').map(Number);
  const bytes = [first! * 40 + second!, ...others].flatMap((number) => {
    const digits = [number % 128];
    for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 0x80);
    return digits;
  });
  return element(Tag.ObjectIdentifier, Buffer.from(bytes));
}

/**
 * A time as certificates have it, in whole seconds: two digits for the year until 2049, four from then on (RFC 5280, 4.1.2.5).
 *
 * @param milliseconds since the epoch
 */
export function time(milliseconds: number): Buffer {
  const date = new Date(milliseconds);
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? element(Tag.UtcTime, Buffer.from(text.slice(2)))
    : element(Tag.GeneralizedTime, Buffer.from(text));
}

/** The elements that an element, of which the structure is known to be right, consists of. */
export function partsOf(whole: Buffer): Buffer[] {
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
