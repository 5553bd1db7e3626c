/** A longer line is given in pieces, in characters: who reads must not run out of memory for a program that writes no line breaks. */
const MAX_LINE = 1024 * 1024;

/**
 * The lines of a text that comes in pieces, without their ends.
 *
 * @param isWhole whether what stands after the last line break is a line, too; otherwise it is the beginning of one, and left out
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, isWhole = true): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield withoutReturn(line);
    while (rest.length > MAX_LINE) {
      yield rest.slice(0, MAX_LINE);
      rest = rest.slice(MAX_LINE);
    }
  }
  rest += decoder.decode();
  if (isWhole && rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** A line of a container's log, and when it was written. */
export interface StampedLine {
  /** As the kubelet writes it, to the nanosecond, so that times of one node can be compared as texts. @default - the line has none: it is the rest of a very long one */
  readonly time?: string;
  readonly text: string;
}

const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*) (.*)$/s;

/** Takes a line apart that the API server has put a time before. */
export function stamped(line: string): StampedLine {
  const [, time, text] = STAMP.exec(line) ?? [];
  return time === undefined ? { text: line } : { time, text: text! };
}

/**
 * Where one is in a log. When it is read again from a time on, which is told in whole seconds, this knows what was read already.
 */
export class Place {
  private time?: string;
  /** How many lines of that time have been read. */
  private count = 0;
  /** How many of them are still to come again. */
  private again = 0;
  private isNew = true;

  /** From when on the log is to be read again (RFC 3339). @default - nothing was read */
  get since(): string | undefined {
    return this.time;
  }

  /** The log is read again from `since` on. */
  restart(): void {
    this.again = this.count;
  }

  /** Goes on by a line. @returns whether it is new */
  pass(line: StampedLine): boolean {
    // The rest of a long line goes with its beginning.
    if (line.time !== undefined) this.isNew = this.goOn(line.time);
    return this.isNew;
  }

  private goOn(time: string): boolean {
    if (this.time !== undefined && time < this.time) return false;
    if (time !== this.time) {
      this.time = time;
      this.count = 1;
      this.again = 0;
      return true;
    }
    if (this.again > 0) {
      this.again--;
      return false;
    }
    this.count++;
    return true;
  }
}
