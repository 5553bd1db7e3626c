/** Bytes of the length before each frame, big-endian. */
const HEAD = 4;

/** Splits a byte stream into length-prefixed frames; it buffers one frame at most. */
export class FrameReader {
  private readonly parts: Buffer[] = [];
  private missing = HEAD;
  private isInHead = true;

  /**
   * @param maxBytes largest accepted frame
   * @param onFrame called for each frame, in order
   * @param tooLong makes the error for a larger frame
   */
  constructor(
    private readonly maxBytes: number,
    private readonly onFrame: (frame: Buffer) => void,
    private readonly tooLong: () => Error,
  ) {}

  /** Whether a frame is incomplete. */
  get isMidway(): boolean {
    return this.parts.length > 0 || !this.isInHead;
  }

  /** Adds received bytes. */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const end = Math.min(at + this.missing, chunk.length);
      this.parts.push(chunk.subarray(at, end));
      this.missing -= end - at;
      at = end;
      if (this.missing > 0) return;
      const whole = this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts);
      this.parts.length = 0;
      if (this.isInHead) this.begin(whole.readUInt32BE(0));
      else this.end(whole);
    }
  }

  private begin(length: number): void {
    if (length > this.maxBytes) throw this.tooLong();
    // An empty frame ends with its length: no further byte completes it.
    if (length === 0) return this.end(Buffer.alloc(0));
    this.isInHead = false;
    this.missing = length;
  }

  private end(frame: Buffer): void {
    this.isInHead = true;
    this.missing = HEAD;
    this.onFrame(frame);
  }
}
