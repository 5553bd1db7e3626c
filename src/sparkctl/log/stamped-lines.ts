const NEWLINE = 0x0a;
const BLANK = 0x20;

/** A time of the kubelet's, with nanoseconds and the offset of its node. */
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The longest of them has 35 characters. */
const MAX_STAMP = 40;

/** A line of a log, or a part of one: lines may be longer than anybody would keep. */
export interface Piece {
  /** The time of the line; undefined for one that has none, as the kubelet's own words. */
  readonly stamp?: string;
  /** What was written, with the line feed if this is the end of the line. */
  readonly bytes: Buffer;
  /** Whether the line begins with this. */
  readonly begins: boolean;
  /** Whether the line ends with this. */
  readonly ends: boolean;
}

/** Takes the bytes of a log with timestamps apart. Nothing is kept but the beginning of a time that is not complete yet. */
export class StampedLines {
  private incomplete = Buffer.alloc(0);
  private stamp?: string;
  private isInLine = false;

  /** Hands on all that is in a chunk. */
  *push(chunk: Buffer): Generator<Piece, void, undefined> {
    let rest = this.incomplete.length > 0 ? Buffer.concat([this.incomplete, chunk]) : chunk;
    this.incomplete = Buffer.alloc(0);
    while (rest.length > 0) {
      const begins = !this.isInLine;
      if (begins) {
        const length = lengthOfStamp(rest);
        if (length === undefined) {
          this.incomplete = Buffer.from(rest);
          return;
        }
        this.stamp = length > 0 ? rest.toString('latin1', 0, length) : undefined;
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

/** 0 if the line has no time, undefined if that cannot be told yet. */
function lengthOfStamp(line: Buffer): number | undefined {
  const beginning = line.subarray(0, MAX_STAMP);
  const blank = beginning.indexOf(BLANK);
  if (blank >= 0) return STAMP.test(beginning.toString('latin1', 0, blank)) ? blank : 0;
  return beginning.includes(NEWLINE) || beginning.length === MAX_STAMP ? 0 : undefined;
}
