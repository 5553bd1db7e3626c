/** How a piece of text looks. */
export interface Look {
  readonly colour?: Colour;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
}

/** Text of one look in a line. */
export interface Span extends Look {
  /** Where it begins, from 0. */
  readonly column: number;
  readonly text: string;
}

export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** The lines of a screen from the top; of each what is not blank, from left to right. */
export type Picture = readonly (readonly Span[])[];

interface Cell {
  readonly char: string;
  readonly look: Look;
}

/** Names of ECMA-48. */
const COLOURS: Readonly<Record<number, Colour>> = { 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan' };

/** A control sequence, a control character or text. */
// eslint-disable-next-line no-control-regex
const TOKENS = /\x1b\[([\d;]*)([A-Za-z])|\x1b?[\0-\x1f\x7f]|\x1b.?|[^\0-\x1f\x7f]+/g;

/**
 * A terminal's screen, as high as it takes: nothing is scrolled away. It knows what command lines for people print: text in colours, the cursor moved up or to the left, and erasing from the
 * cursor on.
 */
export class Screen {
  private readonly columns: number;
  private readonly lines: (Cell | undefined)[][] = [];
  private row = 0;
  private column = 0;
  private look: Look = {};

  /** @param columns characters in a line; longer texts continue in the next */
  constructor(columns: number) {
    this.columns = columns;
  }

  /** @throws Error for a sequence that it does not know: the picture would be wrong */
  write(text: string): void {
    for (const [token, parameters, command] of text.matchAll(TOKENS)) {
      if (command !== undefined) this.control(token, command, parameters!);
      else if (token === '\r') this.column = 0;
      else if (token === '\n') this.row++;
      // eslint-disable-next-line no-control-regex
      else if (/[\0-\x1f\x7f]/.test(token)) throw unknown(token);
      else this.print(token);
    }
  }

  /** Its content. */
  picture(): Picture {
    return Array.from(this.lines, (cells = []) => spansOf(cells));
  }

  private print(text: string): void {
    for (const char of text) {
      if (this.column >= this.columns) [this.row, this.column] = [this.row + 1, 0];
      (this.lines[this.row] ??= [])[this.column++] = { char, look: this.look };
    }
  }

  private control(token: string, command: string, parameters: string): void {
    switch (command) {
      case 'm': {
        for (const code of parameters.split(';')) this.look = lookAfter(this.look, Number(code), token);
        return;
      }
      case 'A': {
        this.row = Math.max(0, this.row - Math.max(1, Number(parameters)));
        return;
      }
      case 'J': case 'K': {
        if (Number(parameters) !== 0) throw unknown(token);
        this.lines[this.row]?.splice(this.column);
        if (command === 'J') this.lines.splice(this.row + 1);
        return;
      }
      default: throw unknown(token);
    }
  }
}

function lookAfter(look: Look, code: number, token: string): Look {
  if (COLOURS[code]) return { ...look, colour: COLOURS[code] };
  switch (code) {
    case 0: return {};
    case 1: return { ...look, isBold: true };
    case 2: return { ...look, isDim: true };
    case 22: return { colour: look.colour };
    case 39: return { ...look, colour: undefined };
    default: throw unknown(token);
  }
}

function unknown(token: string): Error {
  return new Error(`the control sequence ${JSON.stringify(token)} is not one that recordings know: teach it to Screen, or keep it out of the session`);
}

/** Neighbours of one look together. Blanks at the start and the end are left out. */
function spansOf(cells: readonly (Cell | undefined)[]): Span[] {
  const spans: Span[] = [];
  let begin = 0;
  while (begin < cells.length) {
    const { look } = cells[begin] ?? BLANK;
    let end = begin + 1;
    while (end < cells.length && isAlike((cells[end] ?? BLANK).look, look)) end++;
    const text = Array.from(cells.slice(begin, end), (cell) => (cell ?? BLANK).char).join('');
    if (text.trim() !== '') spans.push({ column: begin + text.length - text.trimStart().length, text: text.trim(), ...look });
    begin = end;
  }
  return spans;
}

const BLANK: Cell = { char: ' ', look: {} };

function isAlike(a: Look, b: Look): boolean {
  return a.colour === b.colour && Boolean(a.isBold) === Boolean(b.isBold) && Boolean(a.isDim) === Boolean(b.isDim);
}
