import type { Io } from '../io';
import type { Terminal } from '../terminal';
import { painter } from '../../text/colours';
import type { Clock, Timer } from '../../kube/clock';
import { FRAME, progressLine, progressText, type Followed } from './progress';

/** Maximum lines that are drawn: a terminal cannot redraw lines that have scrolled out of view. */
const MAX_LINES = 15;

/** Display of the applications that a command waits for. */
export interface Display {
  /** Shows a change of one of them. */
  update(followed: Followed): void;
  /** Erases the drawn lines, so that the next output takes their place. */
  end(): void;
}

/**
 * Creates the display: on a terminal it redraws its lines, elsewhere it prints a line for each
 * change.
 */
export function displayOf(names: readonly Followed[], io: Pick<Io, 'stdout' | 'stderr'>, terminal: Terminal, clock: Clock): Display {
  return terminal.isTerminal ? liveDisplay(names, io, terminal, clock) : plainDisplay(io, clock);
}

function liveDisplay(names: readonly Followed[], io: Pick<Io, 'stdout'>, terminal: Terminal, clock: Clock): Display {
  const followed = new Map(names.map((each) => [keyOf(each), each]));
  const paint = painter(terminal);
  let drawn = 0;
  let timer: Timer;
  // From the first column, as Ctrl-C prints ^C into the line below.
  const erased = () => (drawn > 0 ? `\r\x1b[${drawn}A\x1b[0J` : '');
  const draw = () => {
    const all = [...followed.values()];
    const lines = all.slice(0, MAX_LINES).map((each) => progressLine(each, { now: clock.now(), paint, columns: terminal.columns }));
    if (all.length > MAX_LINES) lines.push(`and ${all.length - MAX_LINES} more`);
    io.stdout(`${erased()}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines.length;
    timer = clock.setTimeout(draw, FRAME);
  };
  draw();
  return {
    update(each) { followed.set(keyOf(each), each); },
    end() {
      clock.clearTimeout(timer);
      io.stdout(erased());
      drawn = 0;
    },
  };
}

/**
 * Prints progress on standard error: it is not part of the result that a script reads from standard
 * output.
 */
function plainDisplay(io: Pick<Io, 'stderr'>, clock: Clock): Display {
  const printed = new Map<string, string>();
  return {
    update(each) {
      const text = progressText(each, clock.now());
      const news = text.slice(text.indexOf(' '));
      if (printed.get(keyOf(each)) === news) return;
      printed.set(keyOf(each), news);
      io.stderr(`${text}\n`);
    },
    end() {},
  };
}

function keyOf({ namespace, name }: Followed): string {
  return `${namespace}/${name}`;
}
