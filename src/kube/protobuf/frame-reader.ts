/** Bytes of the length that stands before each frame, the highest first. */
const HEAD = 4;

/** Cuts a stream of bytes into frames, each with its length before it, without keeping more than one. */
export class FrameReader {
  private readonly parts: Buffer[] = [];
  private missing = HEAD;
  private isInHead = true;

  /**
   * @param maxBytes largest frame
   * @param onFrame called for each, in order
   * @param tooLong what is thrown when a larger one comes
   */
  constructor(
    private readonly maxBytes: number,
    private readonly onFrame: (frame: Buffer) => void,
    private readonly tooLong: () => Error,
  ) {}

  /** Whether a frame has begun and not ended. */
  get isMidway(): boolean {
    return this.parts.length > 0 || !this.isInHead;
  }

  /** Takes what has come. */
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
    // Nothing would come that ends an empty one.
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
