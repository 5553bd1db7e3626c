import { painter, type Colour } from '../../text/colours';
import type { Io } from '../io';
import { printable } from '../../text/printable';
import type { Terminal } from '../terminal';
import { PrefixedLines } from './prefixed-lines';
import { HarmlessText } from './text';

/** Where a log goes. */
export interface Sink {
  /** Resolves when there is room for more. */
  write(bytes: Buffer): Promise<void>;
  /** The log is through. */
  end(): Promise<void>;
}

/** Makes the sink of a log. @param label stands before each line; without it the log is printed as it is, and only one at a time may be */
export type Sinks = (label?: string) => Sink;

const COLOURS: readonly Colour[] = ['cyan', 'green', 'yellow', 'blue'];

/** Logs on standard output: byte by byte what was written, unless it is a terminal, which they must not be able to control. */
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
    const text = terminal.isTerminal ? new HarmlessText() : undefined;
    // The log before may have ended within a line.
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
        // The prompt of the shell, or what is told next, begins a line of its own.
        else if (text && isInLine) await print(Buffer.from('\n'));
      },
    };
  };
}
