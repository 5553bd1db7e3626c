import { StringDecoder } from 'node:string_decoder';
import { printable } from '../../text/printable';

/**
 * End of a piece that can be the beginning of a control sequence, so that the next piece decides.
 */
// eslint-disable-next-line no-control-regex
const UNFINISHED = /(?:\r|\x1b(?:\[[\d;:]{0,64})?)$/;

/** Colours of ECMA-48. They are removed, as a log can leave them on. */
// eslint-disable-next-line no-control-regex
const COLOURS = /\x1b\[[\d;:]*m/g;

/**
 * Decodes the bytes of a log, piece by piece, to a text that is safe for a terminal. Control
 * characters other than tabs are escaped. A carriage return, with which progress bars overwrite
 * their line, becomes a line feed.
 */
export class TerminalText {
  private readonly decoder = new StringDecoder('utf8');
  private buffered = '';

  /**
   * Returns the text of a piece. It buffers an incomplete character or control sequence until the
   * next piece.
   */
  push(bytes: Buffer): string {
    const text = this.buffered + this.decoder.write(bytes);
    const [unfinished = ''] = UNFINISHED.exec(text) ?? [];
    this.buffered = unfinished;
    return escaped(text.slice(0, text.length - unfinished.length));
  }

  /** Returns the buffered rest after the last piece. */
  end(): string {
    const text = this.buffered + this.decoder.end();
    this.buffered = '';
    return escaped(text);
  }
}

function escaped(text: string): string {
  return text.replace(COLOURS, '').replace(/\r\n?/g, '\n').split('\t').map(printable).join('\t');
}
