const NEWLINE = 0x0a;
const LINE_FEED = Buffer.from('\n');

/**
 * Maximum bytes of a line that are buffered until its end arrives. A longer line is split: the
 * lines of other logs wait for it.
 */
const MAX_LINE = 64 * 1024;

/**
 * Prefixes each line of a log that arrives in pieces. It only returns whole lines, so that the
 * lines of several logs do not mix.
 */
export class PrefixedLines {
  private rest = Buffer.alloc(0);
  private readonly prefix: Buffer;

  constructor(prefix: string) {
    this.prefix = Buffer.from(prefix);
  }

  /** Adds bytes; returns the lines that are complete. */
  push(bytes: Buffer): Buffer {
    const parts: Buffer[] = [];
    let rest = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      parts.push(this.prefix, rest.subarray(0, end + 1));
      rest = rest.subarray(end + 1);
    }
    while (rest.length > MAX_LINE) {
      const end = letterAt(rest, MAX_LINE);
      parts.push(this.prefix, rest.subarray(0, end), LINE_FEED);
      rest = rest.subarray(end);
    }
    this.rest = Buffer.from(rest);
    return Buffer.concat(parts);
  }

  /** Returns the last line if it has no line feed. */
  end(): Buffer {
    const { rest } = this;
    this.rest = Buffer.alloc(0);
    return rest.length === 0 ? rest : Buffer.concat([this.prefix, rest, LINE_FEED]);
  }
}

/** Returns the offset of the UTF-8 character that contains the byte at `place`. */
function letterAt(bytes: Buffer, place: number): number {
  let begin = place;
  while (begin > place - 4 && bytes[begin]! >= 0x80 && bytes[begin]! < 0xc0) begin--;
  return begin;
}
