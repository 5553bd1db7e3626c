const NEWLINE = 0x0a;
const BLANK = 0x20;

/** A timestamp of the kubelet, with nanoseconds and the offset of its node. */
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The longest timestamp has 35 characters. */
const MAX_STAMP = 40;

const NOTHING = new Uint8Array();

/** A line of a log, or a part of one, as lines can be too long to buffer. */
export interface Piece {
  /** Timestamp of the line; undefined for a line without one, such as a message of the kubelet. */
  readonly stamp?: string;
  /** Bytes of the line, with the line feed at its end. */
  readonly bytes: Uint8Array;
  /** Whether the piece is the beginning of the line. */
  readonly begins: boolean;
  /** Whether the piece is the end of the line. */
  readonly ends: boolean;
}

/**
 * Splits a log with timestamps into pieces of lines, also in a browser. It buffers only an
 * incomplete timestamp.
 */
export class StampedLines {
  private incomplete: Uint8Array = NOTHING;
  private stamp?: string;
  private isInLine = false;

  /** Returns all complete pieces of a chunk. */
  *push(chunk: Uint8Array): Generator<Piece, void, undefined> {
    let rest = joined([this.incomplete, chunk]);
    this.incomplete = NOTHING;
    while (rest.length > 0) {
      const begins = !this.isInLine;
      if (begins) {
        const length = lengthOfStamp(rest);
        if (length === undefined) {
          this.incomplete = rest.slice();
          return;
        }
        this.stamp = length > 0 ? asciiOf(rest.subarray(0, length)) : undefined;
        rest = rest.subarray(length > 0 ? length + 1 : 0);
      }
      const end = rest.indexOf(NEWLINE);
      const bytes = end < 0 ? rest : rest.subarray(0, end + 1);
      rest = rest.subarray(bytes.length);
      this.isInLine = end < 0;
      yield { stamp: this.stamp, bytes, begins, ends: !this.isInLine };
    }
  }
}

/** Returns 0 if the line has no timestamp; undefined if more bytes are needed to decide. */
function lengthOfStamp(line: Uint8Array): number | undefined {
  const beginning = line.subarray(0, MAX_STAMP);
  const blank = beginning.indexOf(BLANK);
  if (blank >= 0) return STAMP.test(asciiOf(beginning.subarray(0, blank))) ? blank : 0;
  return beginning.includes(NEWLINE) || beginning.length === MAX_STAMP ? 0 : undefined;
}

function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Concatenates pieces. A single one is not copied. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const filled = pieces.filter(({ length }) => length > 0);
  if (filled.length <= 1) return filled[0] ?? NOTHING;
  const all = new Uint8Array(filled.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of filled) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
