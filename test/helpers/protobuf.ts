import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** The value of a field: a text, a number, yes or no, bytes, the fields of a message, or a list of those. */
type Value = string | number | bigint | boolean | Buffer | Fields | readonly Value[];

/** Fields by their numbers. */
export interface Fields {
  readonly [number: number]: Value;
}

/** Writes a message as the API server does. */
export function encode(fields: Fields): Buffer {
  const writer = new BinaryWriter();
  for (const [number, values] of Object.entries(fields)) {
    for (const value of Array.isArray(values) ? values : [values]) write(writer, Number(number), value);
  }
  return Buffer.from(writer.finish());
}

/** An answer, as it is in its envelope. */
export function enveloped(kind: string, message: Buffer): Buffer {
  return Buffer.concat([Buffer.from('k8s\0'), encode({ 1: { 1: 'v1', 2: kind }, 2: message, 3: '', 4: '' })]);
}

/** A frame of a stream. */
export function framed(content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(content.length);
  return Buffer.concat([head, content]);
}

/** An event of a watch that ends it with an error, as it is in a stream of protobuf. */
export function errorEvent({ code, reason, message }: { readonly code: number; readonly reason: string; readonly message: string }): Buffer {
  return framed(encode({ 1: 'ERROR', 2: { 1: enveloped('Status', encode({ 2: 'Failure', 3: message, 4: reason, 6: code })) } }));
}

function write(writer: BinaryWriter, number: number, value: Value): void {
  if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value);
  else if (typeof value === 'boolean') writer.tag(number, WireType.Varint).bool(value);
  else if (typeof value === 'object') writer.tag(number, WireType.LengthDelimited).bytes(Buffer.isBuffer(value) ? value : encode(value as Fields));
  else writer.tag(number, WireType.Varint).int64(value);
}
