import { BinaryReader } from '@bufbuild/protobuf/wire';

/** What is done with a field when it comes: `target` gets what it says. */
type Field = (reader: BinaryReader, target: Record<string, unknown>) => void;

/** How a message is read: its fields by their numbers. What has no number here is passed over, unread. */
export type Message = Readonly<Record<number, Field>>;

/**
 * Reads a message into the form that its JSON has: what JSON leaves out, as an empty text, is left out.
 *
 * @throws {Error} if the bytes are none of a message
 */
export function decode<T>(encoded: Buffer, message: Message): T {
  const target = {};
  fill(new BinaryReader(encoded, textOf), message, target, encoded.length);
  return target as T;
}

/** A text. */
export function text(name: string): Field {
  return (reader, target) => {
    const value = reader.string();
    if (value !== '') target[name] = value;
  };
}

/** Bytes; they stay where they are. */
export function bytes(name: string): Field {
  return (reader, target) => { target[name] = reader.bytes(); };
}

/** A list of bytes; they stay where they are. */
export function pieces(name: string): Field {
  return (reader, target) => { ((target[name] as Uint8Array[] | undefined) ??= target[name] = [] as Uint8Array[]).push(reader.bytes()); };
}

/** A whole number of at most 32 bits; 0 is one. */
export function integer(name: string): Field {
  return (reader, target) => { target[name] = reader.int32(); };
}

/** A whole number that JSON leaves out when it is 0. */
export function count(name: string): Field {
  return (reader, target) => {
    const value = Number(reader.int64());
    if (value !== 0) target[name] = value;
  };
}

/** A yes or no; not given is neither. */
export function flag(name: string): Field {
  return (reader, target) => { target[name] = reader.bool(); };
}

/** A message within this one. */
export function one(name: string, message: Message): Field {
  return (reader, target) => { target[name] = inner(reader, message); };
}

/** A list of messages. */
export function many(name: string, message: Message): Field {
  return (reader, target) => { ((target[name] as object[] | undefined) ??= target[name] = [] as object[]).push(inner(reader, message)); };
}

/** Texts by names, such as labels. */
export function texts(name: string): Field {
  return (reader, target) => {
    // A text that is empty is one here.
    const { key = '', value = '' } = inner(reader, ENTRY) as { readonly key?: string; readonly value?: string };
    const named = (target[name] ??= {}) as Record<string, string>;
    // By assignment that one would be lost; for all of them, this takes longer than all else about them.
    if (key === '__proto__') Object.defineProperty(named, key, { value, enumerable: true, configurable: true, writable: true });
    else named[key] = value;
  };
}

/** A moment, as JSON writes it: to the second. A moment that is not known is left out. */
export function time(name: string): Field {
  return (reader, target) => {
    const { seconds } = inner(reader, TIMESTAMP) as { readonly seconds?: number };
    if (seconds !== undefined) target[name] = `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
  };
}

const ENTRY: Message = { 1: text('key'), 2: text('value') };
const TIMESTAMP: Message = { 1: count('seconds') };

function inner(reader: BinaryReader, message: Message): object {
  const length = reader.uint32();
  const target = {};
  fill(reader, message, target, reader.pos + length);
  return target;
}

function fill(reader: BinaryReader, message: Message, target: Record<string, unknown>, end: number): void {
  if (end > reader.len) throw new RangeError('a message ends behind the end of what contains it');
  while (reader.pos < end) {
    const [number, type] = reader.tag();
    const field = message[number];
    if (field) field(reader, target);
    else reader.skip(type, number);
  }
  if (reader.pos !== end) throw new RangeError('a field ends behind the end of its message');
}

/** The bytes are a piece of a Buffer, whose own way is the fastest for short texts. */
function textOf(piece: Uint8Array): string {
  return (piece as Buffer).toString('utf8');
}
