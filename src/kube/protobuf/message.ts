import { BinaryReader } from '@bufbuild/protobuf/wire';

/** Reads a field into `target`. */
type Field = (reader: BinaryReader, target: Record<string, unknown>) => void;

/** Fields of a message by their numbers. Other fields are skipped unread. */
export type Message = Readonly<Record<number, Field>>;

/**
 * Decodes a message into the form of its JSON, which omits default values such as an empty text.
 *
 * @throws {Error} if the bytes are not a valid message
 */
export function decode<T>(encoded: Buffer, message: Message): T {
  const target = {};
  fill(new BinaryReader(encoded, textOf), message, target, encoded.length);
  return target as T;
}

/** Reads a text. */
export function text(name: string): Field {
  return (reader, target) => {
    const value = reader.string();
    if (value !== '') target[name] = value;
  };
}

/** Reads bytes without copying them. */
export function bytes(name: string): Field {
  return (reader, target) => { target[name] = reader.bytes(); };
}

/** Reads a list of bytes without copying them. */
export function pieces(name: string): Field {
  return (reader, target) => { ((target[name] as Uint8Array[] | undefined) ??= target[name] = [] as Uint8Array[]).push(reader.bytes()); };
}

/** Reads an integer of at most 32 bits, including 0. */
export function integer(name: string): Field {
  return (reader, target) => { target[name] = reader.int32(); };
}

/** Reads an integer that JSON omits when it is 0. */
export function count(name: string): Field {
  return (reader, target) => {
    const value = Number(reader.int64());
    if (value !== 0) target[name] = value;
  };
}

/** Reads a boolean; a missing one stays undefined. */
export function flag(name: string): Field {
  return (reader, target) => { target[name] = reader.bool(); };
}

/** Reads a nested message. */
export function one(name: string, message: Message): Field {
  return (reader, target) => { target[name] = inner(reader, message); };
}

/** Reads a list of messages. */
export function many(name: string, message: Message): Field {
  return (reader, target) => { ((target[name] as object[] | undefined) ??= target[name] = [] as object[]).push(inner(reader, message)); };
}

/** Reads a map of texts, such as labels. */
export function texts(name: string): Field {
  return (reader, target) => {
    // An empty text is a valid value here.
    const { key = '', value = '' } = inner(reader, ENTRY) as { readonly key?: string; readonly value?: string };
    const named = (target[name] ??= {}) as Record<string, string>;
    // An assignment would lose this key; `defineProperty` for every key would take longer than all
    // other work.
    if (key === '__proto__') Object.defineProperty(named, key, { value, enumerable: true, configurable: true, writable: true });
    else named[key] = value;
  };
}

/** Reads a map of quantities, such as limits, as texts. */
export function quantities(name: string): Field {
  return (reader, target) => {
    const { key = '', value } = inner(reader, QUANTITY_ENTRY) as { readonly key?: string; readonly value?: { readonly string?: string } };
    const named = (target[name] ??= Object.create(null)) as Record<string, string>;
    named[key] = value?.string ?? '';
  };
}

/** Reads a time as JSON has it: to the second. An unknown time is omitted. */
export function time(name: string): Field {
  return (reader, target) => {
    const { seconds } = inner(reader, TIMESTAMP) as { readonly seconds?: number };
    if (seconds !== undefined) target[name] = `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
  };
}

const ENTRY: Message = { 1: text('key'), 2: text('value') };
const QUANTITY_ENTRY: Message = { 1: text('key'), 2: one('value', { 1: text('string') }) };
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

/** The bytes are part of a Buffer, whose own method is the fastest for short texts. */
function textOf(piece: Uint8Array): string {
  return (piece as Buffer).toString('utf8');
}
