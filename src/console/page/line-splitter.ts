/** Splits arriving text into lines. */
export class LineSplitter {
  private rest = '';

  /** Returns the lines that are complete after this chunk. */
  push(text: string): string[] {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    return lines;
  }
}
