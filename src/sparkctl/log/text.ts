import { StringDecoder } from 'node:string_decoder';
import { printable } from '../../text/printable';

/** What may be the beginning of something, so that the next piece has to come first. */
// eslint-disable-next-line no-control-regex
const UNFINISHED = /(?:\r|\x1b(?:\[[\d;:]{0,64})?)$/;

/** Colours of ECMA-48: the program's own are left out, as a log may leave them open. */
// eslint-disable-next-line no-control-regex
const COLOURS = /\x1b\[[\d;:]*m/g;

/**
 * Makes of the bytes of a log, piece by piece, a text that does a terminal no harm: control characters are shown, but for tabs; a carriage return, by which
 * progress bars overwrite their line, begins a new one.
 */
export class HarmlessText {
  private readonly decoder = new StringDecoder('utf8');
  private held = '';

  /** The text of a piece. What cannot be told before the next one comes is kept. */
  push(bytes: Buffer): string {
    const text = this.held + this.decoder.write(bytes);
    const [unfinished = ''] = UNFINISHED.exec(text) ?? [];
    this.held = unfinished;
    return harmless(text.slice(0, text.length - unfinished.length));
  }

  /** What was kept, when there is no next piece. */
  end(): string {
    const text = this.held + this.decoder.end();
    this.held = '';
    return harmless(text);
  }
}

function harmless(text: string): string {
  return text.replace(COLOURS, '').replace(/\r\n?/g, '\n').split('\t').map(printable).join('\t');
}
