import type { Piece } from './stamped-lines';

/**
 * Seconds before the newest line that are read again. Standard output and error have separate
 * writers, so lines of a log can be slightly out of order. Lines that were already read are
 * skipped.
 */
const OVERLAP = 1;

const LINE_FEED: Piece = { bytes: Uint8Array.of(0x0a), begins: false, ends: true };

/** A line whose end has not arrived yet. */
interface OpenLine {
  readonly stamp?: string;
  /** Bytes of it that arrived with this connection. */
  received: number;
  /** Bytes of it that were passed on, with this or a previous connection. */
  handedOn: number;
  /** Whether a previous connection passed on its beginning. */
  readonly isResumed: boolean;
}

/**
 * Tracks which part of a log was read. After a lost connection the log continues at the same byte,
 * even in the middle of a line: nothing is lost or repeated.
 *
 * Logs are requested by time, in full seconds. The server then sends the lines since that second,
 * in the same order. Lines that were read before are recognized by their time in nanoseconds, and
 * each is skipped as often as it was read.
 */
export class Resumption {
  /** Number of reads of each timestamp, by second. */
  private readonly read = new Map<number, Map<string, number>>();
  private newest = -Infinity;
  /** Timestamps that will arrive again. */
  private known = new Map<string, number>();
  /** The line in which the last connection broke. */
  private broken?: OpenLine;
  private line?: OpenLine;

  /** Time to read the log from; undefined if nothing was read. */
  get from(): Date | undefined {
    return Number.isFinite(this.newest) ? new Date((this.newest - OVERLAP) * 1_000) : undefined;
  }

  /** Starts another connection, which reads the lines since `from`. */
  restart(): void {
    this.known = new Map([...this.read.values()].flatMap((times) => [...times]));
    this.broken = this.line ?? this.broken;
    this.line = undefined;
  }

  /** Returns the parts of a piece that were not passed on yet. */
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

  /** @returns pieces to insert before the line */
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
    // The rest is lost if the file was removed in the meantime, as happens with large logs.
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
