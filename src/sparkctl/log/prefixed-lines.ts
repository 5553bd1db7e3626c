const NEWLINE = 0x0a;
const LINE_FEED = Buffer.from('\n');

/** Bytes of a line that are kept until its end comes; a longer one becomes several, as other logs wait for it. */
const MAX_LINE = 64 * 1024;

/** Puts a text before each line of a log that comes piece by piece, and hands on whole lines only, so that lines of several logs do not mix. */
export class PrefixedLines {
  private rest = Buffer.alloc(0);
  private readonly prefix: Buffer;

  constructor(prefix: string) {
    this.prefix = Buffer.from(prefix);
  }

  /** The lines that are complete. */
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

  /** The last line, if it has no end. */
  end(): Buffer {
    const { rest } = this;
    this.rest = Buffer.alloc(0);
    return rest.length === 0 ? rest : Buffer.concat([this.prefix, rest, LINE_FEED]);
  }
}

/** Where the letter of UTF-8 begins that a place is in. */
function letterAt(bytes: Buffer, place: number): number {
  let begin = place;
  while (begin > place - 4 && bytes[begin]! >= 0x80 && bytes[begin]! < 0xc0) begin--;
  return begin;
}
