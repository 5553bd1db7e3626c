import { Resumption } from './log-resumption';
import { joined, StampedLines } from './stamped-lines';

/**
 * A log that is read with timestamps, over connections that break anywhere: each byte once. Before each connection `from` says what to ask for, and `begin` is called.
 */
export class ResumedLog {
  private readonly memory = new Resumption();
  private lines = new StampedLines();

  /** @param timestamps whether the times stay before their lines */
  constructor(private readonly timestamps = false) {}

  /** From when on the log has to be read; undefined if nothing of it has been. */
  get from(): Date | undefined {
    return this.memory.from;
  }

  /** Another connection begins, of the lines since `from`. */
  begin(): void {
    this.memory.restart();
    this.lines = new StampedLines();
  }

  /** What of a chunk is new; often nothing. */
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
