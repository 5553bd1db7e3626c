import type { IncomingHttpHeaders } from 'node:http';
import { decode, type Message, one, pieces } from './message';
import { LIST_META, STATUS, UNKNOWN, WATCH_EVENT } from './meta';
import type { Status } from '../errors';
import type { UnreadList } from '../unread-list';

const MEDIA_TYPE = 'application/vnd.kubernetes.protobuf';

/** What may be answered where protobuf can be read: a server that has none answers with JSON. */
export const ACCEPT_PROTOBUF = `${MEDIA_TYPE},application/json`;

/** What each answer begins with. */
const MAGIC = Buffer.from('k8s\0');

/** An answer out of its envelope. */
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
 * @param item how its objects are read
 * @throws {Error} if it is none
 */
export function openList(body: Buffer, item: Message): UnreadList {
  const { metadata, items = [] } = decode<{ readonly metadata?: object; readonly items?: readonly Buffer[] }>(open(body).raw, { 1: one('metadata', LIST_META), 2: pieces('items') });
  return { metadata, items: each(items, item) };
}

function* each(encoded: readonly Buffer[], item: Message): Generator<object> {
  for (const piece of encoded) yield decode<object>(piece, item);
}

/**
 * Reads the error that is in an answer.
 *
 * @throws {Error} if there is none
 */
export function decodeStatus(body: Buffer): Status {
  const { kind, raw } = open(body);
  if (kind !== 'Status') throw new Error('the answer is no Status');
  return { kind, ...decode<Status>(raw, STATUS) };
}

/**
 * Reads an event of a watch, in the form that its JSON has.
 *
 * @param object how its objects are read
 * @throws {Error} if it is none
 */
export function decodeEvent(frame: Buffer, object: Message): { readonly type?: string; readonly object?: object } {
  const { type, object: { raw } = {} } = decode<{ readonly type?: string; readonly object?: { readonly raw?: Buffer } }>(frame, WATCH_EVENT);
  if (raw === undefined) return { type };
  return { type, object: type === 'ERROR' ? decodeStatus(raw) : decode<object>(open(raw).raw, object) };
}

function open(body: Buffer): Opened {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('the answer does not begin as protobuf of Kubernetes does');
  const { typeMeta, raw = Buffer.alloc(0) } = decode<{ readonly typeMeta?: { readonly kind?: string }; readonly raw?: Buffer }>(body.subarray(MAGIC.length), UNKNOWN);
  return { kind: typeMeta?.kind, raw };
}
