import type { IncomingHttpHeaders } from 'node:http';
import { decode, type Message, one, pieces } from './message';
import { LIST_META, STATUS, UNKNOWN, WATCH_EVENT } from './meta';
import type { Status } from '../errors';
import type { UnreadList } from '../unread-list';

const MEDIA_TYPE = 'application/vnd.kubernetes.protobuf';

/** `Accept` header for protobuf; a server without protobuf answers with JSON. */
export const ACCEPT_PROTOBUF = `${MEDIA_TYPE},application/json`;

/** Prefix of each answer. */
const MAGIC = Buffer.from('k8s\0');

/** An answer without its envelope. */
interface Opened {
  readonly kind?: string;
  readonly raw: Buffer;
}

/** Whether an answer, or a stream, is protobuf. */
export function isProtobuf(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.startsWith(MEDIA_TYPE) ?? false;
}

/**
 * Opens a list.
 *
 * @param item reads its objects
 * @throws {Error} if the answer is not a list
 */
export function openList(body: Buffer, item: Message): UnreadList {
  const { metadata, items = [] } = decode<{ readonly metadata?: object; readonly items?: readonly Buffer[] }>(
    open(body).raw, { 1: one('metadata', LIST_META), 2: pieces('items') },
  );
  return { metadata, items: each(items, item) };
}

function* each(encoded: readonly Buffer[], item: Message): Generator<object> {
  for (const piece of encoded) yield decode<object>(piece, item);
}

/**
 * Reads the error of an answer.
 *
 * @throws {Error} if the answer is not an error
 */
export function decodeStatus(body: Buffer): Status {
  const { kind, raw } = open(body);
  if (kind !== 'Status') throw new Error('the answer is no Status');
  return { kind, ...decode<Status>(raw, STATUS) };
}

/**
 * Reads an event of a watch, in the form of its JSON.
 *
 * @param object reads its objects
 * @throws {Error} if the frame is not an event
 */
export function decodeEvent(frame: Buffer, object: Message): { readonly type?: string; readonly object?: object } {
  interface Frame { readonly type?: string; readonly object?: { readonly raw?: Buffer } }
  const { type, object: { raw } = {} } = decode<Frame>(frame, WATCH_EVENT);
  if (raw === undefined) return { type };
  return { type, object: type === 'ERROR' ? decodeStatus(raw) : decode<object>(open(raw).raw, object) };
}

function open(body: Buffer): Opened {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('the answer does not begin as protobuf of Kubernetes does');
  interface Envelope { readonly typeMeta?: { readonly kind?: string }; readonly raw?: Buffer }
  const { typeMeta, raw = Buffer.alloc(0) } = decode<Envelope>(body.subarray(MAGIC.length), UNKNOWN);
  return { kind: typeMeta?.kind, raw };
}
