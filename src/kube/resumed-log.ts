import { Resumption } from './log-resumption';
import { joined, StampedLines } from './stamped-lines';

/**
 * A log with timestamps, read over connections that can break anywhere, so that each byte arrives
 * once. Before each connection, the caller reads `from` and calls `begin`.
 */
export class ResumedLog {
  private readonly memory = new Resumption();
  private lines = new StampedLines();

  /** @param timestamps whether to keep the times before their lines */
  constructor(private readonly timestamps = false) {}

  /** Time to read the log from; undefined if nothing was read. */
  get from(): Date | undefined {
    return this.memory.from;
  }

  /** Starts another connection, which reads the lines since `from`. */
  begin(): void {
    this.memory.restart();
    this.lines = new StampedLines();
  }

  /** Returns the new part of a chunk; often empty. */
  take(chunk: Uint8Array): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (const piece of this.lines.push(chunk)) {
      for (const { stamp, begins, bytes } of this.memory.take(piece)) {
        if (this.timestamps && begins && stamp !== undefined) pieces.push(new TextEncoder().encode(`${stamp} `));
        pieces.push(bytes);
      }
    }
    return joined(pieces);
  }
}
