import * as fc from 'fast-check';
import { linesOf, Place, stamped } from '../../src/client/lines';

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < places.length; i++) yield bytes.subarray(places[i - 1], places[i]);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test('lines are the same however the bytes come, also when a letter is cut in two', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, '·'));
  await fc.assert(fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.array(fc.nat()), fc.constantFrom('\n', '\r\n'), async (lines, cuts, end) => {
    const bytes = Buffer.from(lines.map((each) => `${each}${end}`).join(''));
    expect(await all(linesOf(inPieces(bytes, cuts)))).toEqual(lines);
  }));
});

test('what stands after the last line break is a line, and one without end comes in pieces', async () => {
  expect(await all(linesOf(inPieces(Buffer.from('one\ntwo'), [])))).toEqual(['one', 'two']);
  const pieces = await all(linesOf(inPieces(Buffer.alloc(3 * 1024 * 1024 + 5, 'x'), [1_500_000])));
  expect(pieces.map(({ length }) => length)).toEqual([1024 * 1024, 1024 * 1024, 1024 * 1024, 5]);
});

test('a log that is read again from any line on, as whole seconds allow, has each line once', () => {
  // Several lines in one moment, and several moments in one second.
  const times = ['10:00:00.100000000Z', '10:00:00.100000000Z', '10:00:00.200000000Z', '10:00:01.000000000Z', '10:00:01.000000000Z', '10:00:01.000000000Z', '10:00:02.500000000Z'];
  const log = times.map((time, index) => `2026-03-01T${time} line ${index}`);
  fc.assert(fc.property(fc.array(fc.nat({ max: log.length }), { minLength: 1, maxLength: 5 }), (breaks) => {
    const place = new Place();
    const read: string[] = [];
    for (const end of [...breaks, log.length]) {
      const from = place.since === undefined ? 0 : log.findIndex((line) => line >= `${place.since!.slice(0, 19)}.`);
      place.restart();
      for (const line of log.slice(from, Math.max(from, end)).map(stamped)) if (place.pass(line)) read.push(line.text);
    }
    expect(read).toEqual(log.map((_, index) => `line ${index}`));
  }));
});

test('a line without a time is the rest of the one before', () => {
  const place = new Place();
  const lines = ['2026-03-01T10:00:00.100000000Z long', 'rest', '2026-03-01T10:00:00.200000000Z next'].map(stamped);
  expect(lines.map((line) => place.pass(line))).toEqual([true, true, true]);
  place.restart();
  expect(lines.map((line) => place.pass(line))).toEqual([false, false, false]);
});
