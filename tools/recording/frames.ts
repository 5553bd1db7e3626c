import { type Picture, Screen } from './screen.ts';

/** Output at a time. */
export interface Chunk {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly text: string;
}

/** A command of a session, and what it printed to the terminal. */
export interface Step {
  readonly command: string;
  /** Since the start of the command. */
  readonly output: readonly Chunk[];
}

/** How a session is played. All times are in milliseconds. */
export interface Pace {
  /** For a letter that is typed. @default 35 */
  readonly letter?: number;
  /** Before a command is sent off. @default 300 */
  readonly send?: number;
  /** After a command, for reading. @default 700 */
  readonly read?: number;
  /** More for each line of it. @default 160 */
  readonly readLine?: number;
  /** Longer pauses of a command are cut to this. @default 800 */
  readonly idle?: number;
  /** How many times faster than in reality commands go. @default 1 */
  readonly speed?: number;
}

/** The screen from a time on. */
export interface Frame {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly picture: Picture;
}

const PROMPT = '\x1b[32m$\x1b[39m ';

/** A session as it came to a terminal: each command is typed at a prompt, then there is what it printed. Nothing of it is left out but time. */
export function played(steps: readonly Step[], { letter = 35, send = 300, read = 700, readLine = 160, idle = 800, speed = 1 }: Pace = {}): Chunk[] {
  const chunks: Chunk[] = [];
  let now = 0;
  for (const { command, output } of steps) {
    chunks.push({ at: now, text: PROMPT });
    now += send;
    for (const char of command) chunks.push({ at: now += letter, text: `\x1b[1m${char}\x1b[22m` });
    chunks.push({ at: now += send, text: '\r\n' });
    let before = 0;
    for (const { at, text } of output) {
      now += Math.min(idle, (at - before) / speed);
      before = at;
      chunks.push({ at: now, text });
    }
    const left = new Screen(Infinity);
    for (const { text } of output) left.write(text);
    now += read + readLine * left.picture().length;
  }
  return [...chunks, { at: now, text: PROMPT }];
}

/**
 * The pictures that a terminal showed, one for each `grain` of milliseconds in which something came.
 *
 * @throws Error for a control sequence that `Screen` does not know
 */
export function framesOf(chunks: readonly Chunk[], columns: number, grain = 90): Frame[] {
  const screen = new Screen(columns);
  const frames: Frame[] = [];
  for (const [index, { at, text }] of chunks.entries()) {
    screen.write(text);
    const place = Math.floor(at / grain);
    const next = chunks[index + 1];
    if (next === undefined || Math.floor(next.at / grain) > place) frames.push({ at: place * grain, picture: screen.picture() });
  }
  return frames;
}
