import * as fc from 'fast-check';
import { linesOf } from '../../src/client/lines';

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < places.length; i++) yield bytes.subarray(places[i - 1], places[i]);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test('lines are the same however the bytes are split, even within a character', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, '·'));
  await fc.assert(fc.asyncProperty(fc.array(line, {
    maxLength: 6,
  }), fc.array(fc.nat()), fc.constantFrom('\n', '\r\n'), async (lines, cuts, end) => {
    const bytes = Buffer.from(lines.map((each) => `${each}${end}`).join(''));
    expect(await all(linesOf(inPieces(bytes, cuts)))).toEqual(lines);
  }));
});

test('the text after the last line break is a line, and a very long line is split', async () => {
  expect(await all(linesOf(inPieces(Buffer.from('one\ntwo'), [])))).toEqual(['one', 'two']);
  const pieces = await all(linesOf(inPieces(Buffer.alloc(3 * 1024 * 1024 + 5, 'x'), [1_500_000])));
  expect(pieces.map(({ length }) => length)).toEqual([1024 * 1024, 1024 * 1024, 1024 * 1024, 5]);
});
