import { StringDecoder } from 'node:string_decoder';
import { beginningOf } from '../../text/shorten';

/** Longer lines are cut, in characters. */
const MAX_LINE = 8_192;
/** Of more than this the beginning is forgotten, in characters. */
const MAX_TOTAL = 16_384;

/** Stack frames of the JVM: they say nothing to users, and are most of what a failed spark-submit prints. */
const FRAME = /^\s+at [\w$.<>/@-]+\(.*\)$|^\s*\.\.\. \d+ more$/;

/** The last lines that a program printed, without stack frames, in bounded memory. */
export class OutputTail {
  private readonly decoder = new StringDecoder('utf8');
  private readonly kept: string[] = [];
  private size = 0;
  private line = '';

  /** Takes in what was printed. */
  public write(chunk: Buffer): void {
    const parts = this.decoder.write(chunk).split('\n');
    parts.forEach((part, index) => {
      this.line += beginningOf(part, MAX_LINE - this.line.length);
      if (index < parts.length - 1) {
        this.endLine();
      }
    });
  }

  /** The lines, the last one also without its end. */
  public lines(): readonly string[] {
    return this.line === '' ? this.kept : [...this.kept, this.line];
  }

  private endLine(): void {
    const line = this.line.trimEnd();
    this.line = '';
    if (line === '' || FRAME.test(line)) {
      return;
    }
    this.kept.push(line);
    this.size += line.length;
    while (this.size > MAX_TOTAL) {
      this.size -= this.kept.shift()!.length;
    }
  }
}
