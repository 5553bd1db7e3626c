import type { Io } from '../io';
import type { Terminal } from '../terminal';
import { painter } from '../../text/colours';
import type { Clock, Timer } from '../../kube/clock';
import { FRAME, progressLine, progressText, type Followed } from './progress';

/** More lines than these are not drawn at once: a terminal has no more to scroll back over. */
const MOST_LINES = 15;

/** Shows how applications are that are waited for. */
export interface Display {
  /** Something about one of them has changed. */
  update(followed: Followed): void;
  /** Takes away what was drawn: what is printed next stands in its place. */
  end(): void;
}

/** A display for a terminal draws over itself; elsewhere there is a line for each change. */
export function displayOf(names: readonly Followed[], io: Pick<Io, 'stdout' | 'stderr'>, terminal: Terminal, clock: Clock): Display {
  return terminal.isTerminal ? liveDisplay(names, io, terminal, clock) : plainDisplay(io, clock);
}

function liveDisplay(names: readonly Followed[], io: Pick<Io, 'stdout'>, terminal: Terminal, clock: Clock): Display {
  const followed = new Map(names.map((each) => [keyOf(each), each]));
  const paint = painter(terminal);
  let drawn = 0;
  let timer: Timer;
  const erased = () => (drawn > 0 ? `\x1b[${drawn}A\x1b[0J` : '');
  const draw = () => {
    const all = [...followed.values()];
    const lines = all.slice(0, MOST_LINES).map((each) => progressLine(each, { now: clock.now(), paint, columns: terminal.columns }));
    if (all.length > MOST_LINES) lines.push(`and ${all.length - MOST_LINES} more`);
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

/** Progress is no result: a script that reads the standard output does not get to see it. */
function plainDisplay(io: Pick<Io, 'stderr'>, clock: Clock): Display {
  const told = new Map<string, string>();
  return {
    update(each) {
      const text = progressText(each, clock.now());
      const news = text.slice(text.indexOf(' '));
      if (told.get(keyOf(each)) === news) return;
      told.set(keyOf(each), news);
      io.stderr(`${text}\n`);
    },
    end() {},
  };
}

function keyOf({ namespace, name }: Followed): string {
  return `${namespace}/${name}`;
}
