/* Logs on a terminal, and the lines of several logs. */
import * as fc from 'fast-check';
import type { Terminal } from '../../../src/sparkctl/terminal';
import { PrefixedLines } from '../../../src/sparkctl/log/prefixed-lines';
import { sinksOf } from '../../../src/sparkctl/log/sink';
import { TerminalText } from '../../../src/sparkctl/log/terminal-text';

const FILE: Terminal = { isTerminal: false, colour: false };
const TERMINAL: Terminal = { isTerminal: true, columns: 80, colour: true };

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const all = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return all.slice(1).map((end, index) => bytes.subarray(all[index], end));
}

const HOSTILE = Buffer.from('zürich-東京\tok\r\n\x1b[31mred\x1b[0m \x1b[2J\x1b]0;title\x07 10%\r20%\r\n\u202eevil \x9b end\x1b');

test.each([
  ['letters of several bytes', 'zürich-東京\n', 'zürich-東京\n'],
  ['tabs, as in stack traces', '\tat Main\n', '\tat Main\n'],
  ['colours', '\x1b[1;31mred\x1b[0m\n', 'red\n'],
  ['what moves the cursor or sets a title', '\x1b[2J\x1b]0;x\x07', '\\u001b[2J\\u001b]0;x\\u0007'],
  ['progress bars', '10%\r20%\r\n', '10%\n20%\n'],
  ['what turns the writing around', '\u202eabc', '\\u202eabc'],
])('on a terminal: %s', (_, written, shown) => {
  const text = new TerminalText();
  expect(text.push(Buffer.from(written)) + text.end()).toBe(shown);
});

test('the result does not depend on the cuts between pieces', () => {
  const whole = new TerminalText();
  const expected = whole.push(HOSTILE) + whole.end();
  fc.assert(fc.property(fc.array(fc.nat()), (places) => {
    const text = new TerminalText();
    expect(cut(HOSTILE, places).map((piece) => text.push(piece)).join('') + text.end()).toBe(expected);
  }));
});

test('prefixes each line, returns only whole lines, and splits long lines', () => {
  const lines = new PrefixedLines('[a] ');
  expect(lines.push(Buffer.from('one\ntw')).toString()).toBe('[a] one\n');
  expect(lines.push(Buffer.from('o')).toString()).toBe('');
  expect(lines.push(Buffer.from('\n\n')).toString()).toBe('[a] two\n[a] \n');
  const long = 'é'.repeat(50_000);
  const printed = lines.push(Buffer.from(long)).toString() + lines.end().toString();
  expect(printed.replaceAll('[a] ', '').replaceAll('\n', '')).toBe(long);
  expect(printed.match(/\[a\] /g)).toHaveLength(2);
});

describe('sinks', () => {
  async function printed(terminal: Terminal, act: (sinks: ReturnType<typeof sinksOf>) => Promise<void>): Promise<string> {
    const parts: Uint8Array[] = [];
    await act(sinksOf({ write: async (bytes) => void parts.push(bytes) }, terminal));
    return Buffer.concat(parts).toString('latin1');
  }

  test('a file gets the bytes unchanged', async () => {
    expect(await printed(FILE, async (sinks) => {
      const sink = sinks();
      for (const piece of cut(HOSTILE, [3, 9, 30])) await sink.write(piece);
      await sink.end();
    })).toBe(HOSTILE.toString('latin1'));
  });

  test('a second log begins on a new line', async () => {
    expect(await printed(FILE, async (sinks) => {
      for (const log of ['no end', 'next\n']) {
        const sink = sinks();
        await sink.write(Buffer.from(log));
        await sink.end();
      }
    })).toBe('no end\nnext\n');
  });

  test('concurrent logs have labels, with different colours on a terminal', async () => {
    const act = async (sinks: ReturnType<typeof sinksOf>) => {
      const [driver, executor] = [sinks('driver'), sinks('exec-1')];
      await driver.write(Buffer.from('one\ntw'));
      await executor.write(Buffer.from('eins\n\x1b[2J'));
      await driver.write(Buffer.from('o\n'));
      await executor.end();
      await driver.end();
    };
    expect(await printed(FILE, act)).toBe('[driver] one\n[exec-1] eins\n[driver] two\n[exec-1] \x1b[2J\n');
    expect(await printed(TERMINAL, act)).toBe('\x1b[36m[driver]\x1b[39m one\n\x1b[32m[exec-1]\x1b[39m eins\n\x1b[36m[driver]\x1b[39m two\n\x1b[32m[exec-1]\x1b[39m \\u001b[2J\n');
  });
});
