import type { Piece } from './stamped-lines';

/**
 * Standard output and error have a writer each, so that lines of a log may be a little out of order. So many seconds before the newest line are read again, and what
 * has been read of them is remembered.
 */
const OVERLAP = 1;

const LINE_FEED: Piece = { bytes: Uint8Array.of(0x0a), begins: false, ends: true };

/** A line of which the end has not come yet. */
interface OpenLine {
  readonly stamp?: string;
  /** Bytes of it that have come with this connection. */
  received: number;
  /** Bytes of it that have been handed on, with this connection or another. */
  handedOn: number;
  /** Whether its beginning has been handed on by another connection. */
  readonly isResumed: boolean;
}

/**
 * Remembers what has been read of a log, so that after a lost connection it goes on where it was, in the middle of a line if need be: nothing is lost, and nothing
 * comes twice.
 *
 * A log is asked for by time, in full seconds. What comes then are the lines since that second in the order of before: those that are known by their time, which has
 * nanoseconds, are passed over, each as often as it was read.
 */
export class Resumption {
  /** How often each time was read, by second. */
  private readonly read = new Map<number, Map<string, number>>();
  private newest = -Infinity;
  /** What will come again. */
  private known = new Map<string, number>();
  /** The line in which the last connection broke. */
  private broken?: OpenLine;
  private line?: OpenLine;

  /** From when on the log has to be read; undefined if nothing of it has been. */
  get from(): Date | undefined {
    return Number.isFinite(this.newest) ? new Date((this.newest - OVERLAP) * 1_000) : undefined;
  }

  /** Another connection begins, of the lines since `from`. */
  restart(): void {
    this.known = new Map([...this.read.values()].flatMap((times) => [...times]));
    this.broken = this.line ?? this.broken;
    this.line = undefined;
  }

  /** What of a piece has not been handed on yet. */
  take(piece: Piece): readonly Piece[] {
    const before = piece.begins ? this.begin(piece.stamp) : [];
    const { line } = this;
    if (!line) return [];
    const bytes = piece.bytes.subarray(Math.max(0, line.handedOn - line.received));
    line.received += piece.bytes.length;
    line.handedOn = Math.max(line.handedOn, line.received);
    if (piece.ends) {
      this.line = undefined;
      if (piece.stamp !== undefined) this.remember(piece.stamp);
    }
    return [...before, { ...piece, bytes, begins: piece.begins && !line.isResumed }];
  }

  /** @returns what has to come before the line */
  private begin(stamp: string | undefined): readonly Piece[] {
    const times = stamp === undefined ? 0 : this.known.get(stamp) ?? 0;
    if (times > 0) {
      this.known.set(stamp!, times - 1);
      this.line = undefined;
      return [];
    }
    const { broken } = this;
    this.broken = undefined;
    if (broken && stamp === broken.stamp) {
      this.line = { ...broken, received: 0, isResumed: true };
      return [];
    }
    if (stamp !== undefined) this.advance(secondOf(stamp));
    this.line = { stamp, received: 0, handedOn: 0, isResumed: false };
    // Its rest is gone if the file was removed in between, as large logs are.
    return broken && broken.handedOn > 0 ? [LINE_FEED] : [];
  }

  private remember(stamp: string): void {
    const second = secondOf(stamp);
    if (second < this.newest - OVERLAP) return;
    const times = this.read.get(second) ?? new Map<string, number>();
    times.set(stamp, (times.get(stamp) ?? 0) + 1);
    this.read.set(second, times);
  }

  private advance(second: number): void {
    if (second <= this.newest) return;
    this.newest = second;
    for (const old of [...this.read.keys()].filter((each) => each < second - OVERLAP)) this.read.delete(old);
  }
}

function secondOf(stamp: string): number {
  return Math.floor(Date.parse(stamp) / 1_000);
}
