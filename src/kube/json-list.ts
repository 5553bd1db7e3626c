import type { UnreadList } from './unread-list';

/** Range of a value in a text. */
type Piece = readonly [start: number, end: number];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/**
 * Opens a list in JSON whose items are parsed one by one. With thousands of items that the caller
 * reduces as they come, complete items would take most of the memory.
 *
 * @returns the parsed document if it is not a list
 * @throws {Error} if the document is invalid JSON in its metadata or between its items
 */
export function openJsonList(body: Buffer): UnreadList {
  const pieces = piecesOf(body);
  if (!pieces) return JSON.parse(body.toString('utf8'));
  return { metadata: read(body, pieces.metadata), items: each(body, pieces.items) };
}

function* each(body: Buffer, items: readonly Piece[]): Generator<object> {
  for (const item of items) yield read(body, item);
}

function read(body: Buffer, [start, end]: Piece): object {
  return JSON.parse(body.toString('utf8', start, end));
}

function piecesOf(body: Buffer): { readonly metadata: Piece; readonly items: readonly Piece[] } | undefined {
  const found: { metadata?: Piece; items?: readonly Piece[] } = {};
  const end = readMembers(body, 0, CLOSE_OBJECT, (at) => {
    const [keyStart, keyEnd] = [at, endOfValue(body, at)];
    const colon = skipSpace(body, keyEnd);
    if (body[keyStart] !== QUOTE || body[colon] !== COLON) return -1;
    const key = body.toString('latin1', keyStart + 1, keyEnd - 1);
    const start = skipSpace(body, colon + 1);
    if (key === 'items' && body[start] === OPEN_ARRAY) {
      const items: Piece[] = [];
      found.items = items;
      return readMembers(body, start, CLOSE_ARRAY, (item) => {
        const itemEnd = endOfValue(body, item);
        items.push([item, itemEnd]);
        return itemEnd;
      });
    }
    const valueEnd = endOfValue(body, start);
    if (key === 'metadata') found.metadata = [start, valueEnd];
    return valueEnd;
  });
  const { metadata, items } = found;
  return end >= 0 && skipSpace(body, end) === body.length && metadata && items ? { metadata, items } : undefined;
}

/**
 * Iterates over the members of an object or an array.
 *
 * @param member receives the start of a member, and returns its end
 * @returns the end of the object or array; -1 if the text has another form
 */
function readMembers(body: Buffer, start: number, close: number, member: (at: number) => number): number {
  let at = skipSpace(body, start);
  if (body[at] !== (close === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_ARRAY)) return -1;
  at = skipSpace(body, at + 1);
  if (body[at] === close) return at + 1;
  while (true) {
    const end = member(at);
    if (end < 0) return -1;
    at = skipSpace(body, end);
    if (body[at] === close) return at + 1;
    if (body[at] !== COMMA) return -1;
    at = skipSpace(body, at + 1);
  }
}

/** Returns the end of a value; -1 if it has none. Does not validate the value. */
function endOfValue(body: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        at = closingQuote(body, at + 1);
        if (at < 0) return -1;
        if (depth === 0) return at + 1;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        depth++;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        if (depth === 0) return at;
        if (--depth === 0) return at + 1;
        break;
      case COMMA:
        if (depth === 0) return at;
    }
  }
  return -1;
}

function closingQuote(body: Buffer, start: number): number {
  for (let at = start; at < body.length; at++) {
    if (body[at] === BACKSLASH) at++;
    else if (body[at] === QUOTE) return at;
  }
  return -1;
}

function skipSpace(body: Buffer, start: number): number {
  let at = start;
  while (body[at] === 0x20 || body[at] === 0x0a || body[at] === 0x0d || body[at] === 0x09) at++;
  return at;
}
