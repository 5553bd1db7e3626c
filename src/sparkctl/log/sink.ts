import { painter, type Colour } from '../../text/colours';
import type { Io } from '../io';
import { printable } from '../../text/printable';
import type { Terminal } from '../terminal';
import { PrefixedLines } from './prefixed-lines';
import { TerminalText } from './terminal-text';

/** Destination of a log. */
export interface Sink {
  /** Writes bytes; resolves when the destination can take more. */
  write(bytes: Buffer): Promise<void>;
  /** Writes buffered bytes at the end of the log. */
  end(): Promise<void>;
}

/**
 * Creates the sink of a log.
 *
 * @param label prefix of each line.
 * @default - no prefix; only one log at a time can be printed without it
 */
export type Sinks = (label?: string) => Sink;

const COLOURS: readonly Colour[] = ['cyan', 'green', 'yellow', 'blue'];

/**
 * Returns sinks on standard output. Bytes stay unchanged, except on a terminal: a log must not
 * control it.
 */
export function sinksOf(io: Pick<Io, 'write'>, terminal: Terminal): Sinks {
  const paint = painter(terminal);
  const colours = new Map<string, Colour>();
  let isInLine = false;

  async function print(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    isInLine = bytes.at(-1) !== 0x0a;
    await io.write(bytes);
  }

  return (label) => {
    if (label !== undefined && !colours.has(label)) colours.set(label, COLOURS[colours.size % COLOURS.length]!);
    const lines = label === undefined ? undefined : new PrefixedLines(`${paint(`[${printable(label)}]`, colours.get(label)!)} `);
    const text = terminal.isTerminal ? new TerminalText() : undefined;
    // The previous log can have ended within a line.
    let first = isInLine ? Buffer.from('\n') : undefined;

    async function put(bytes: Buffer): Promise<void> {
      const output = lines ? lines.push(bytes) : bytes;
      if (output.length === 0) return;
      await print(first ? Buffer.concat([first, output]) : output);
      first = undefined;
    }

    return {
      write: (bytes) => put(text ? Buffer.from(text.push(bytes)) : bytes),
      async end() {
        if (text) await put(Buffer.from(text.end()));
        if (lines) await print(lines.end());
        // The next message or the prompt of the shell begins on a new line.
        else if (text && isInLine) await print(Buffer.from('\n'));
      },
    };
  };
}
