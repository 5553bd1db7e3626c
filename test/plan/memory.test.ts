import fc from 'fast-check';
import { javaDouble, memoryOverhead, parseMebibytes, parseOverheadFactor } from '../../src/plan/memory';

test.each([
  ['1g', 1024],
  ['512m', 512],
  ['1024', 1024],
  [' 4GB ', 4096],
  ['2t', 2_097_152],
  ['1048576k', 1024],
  ['1048576b', 1],
  ['1023k', 0],
  ['0', 0],
  ['007m', 7],
])('%j is %d MiB', (text, mebibytes) => {
  expect(parseMebibytes(text, 'f')).toBe(mebibytes);
});

test.each(['4Gi', '1.5g', '-1g', '', 'g', '1 g', 'NaN', '1e3', '0x10', '9999999999999999p', '1g 1g', '1constructor', '\u00a01g'])('%j is no size', text => {
  expect(() => parseMebibytes(text, 'spec.driver.memory')).toThrow(/^spec\.driver\.memory = .*; write a whole number and a unit/);
});

test.each([['4Gi', 4096], ['4GiB', 4096], ['1024ki', 1], ['2tib', 2_097_152], ['4g', 4096]])('%j is %d MiB where units may be written as Kubernetes does', (text, mebibytes) => {
  expect(parseMebibytes(text, 'f', true)).toBe(mebibytes);
});

test.each(['4bi', '4ib', '4i', '1constructor'])('%j is no size with any units', text => {
  expect(() => parseMebibytes(text, 'f', true)).toThrow(/is not a size/);
});

test('a size is as large as its unit says', () => {
  const units = fc.constantFrom<[string, number]>(['k', 1 / 1024], ['m', 1], ['g', 1024], ['t', 1024 ** 2]);
  fc.assert(fc.property(fc.integer({ min: 0, max: 500_000 }), units, (count, [unit, factor]) => {
    expect(parseMebibytes(`${count}${unit}`, 'f')).toBe(Math.floor(count * factor));
  }));
});

test('any text is a size or an error that says so, never NaN, negative or a fraction', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{1,25}[bkmgtp]?b?$/)), text => {
    let size: number;
    try {
      size = parseMebibytes(text, 'f');
    } catch (error) {
      expect((error as Error).name).toBe('SubmissionError');
      return;
    }
    expect(Number.isSafeInteger(size) && size >= 0).toBe(true);
  }), { numRuns: 500 });
});

test.each([
  [1024, 0.1, 384],
  [2048, 0.1, 384],
  [4096, 0.1, 409],
  [4096, 0.4, 1638],
  [10_240, 0.1, 1024],
  [1024, 0, 384],
  [1024, Infinity, 2_147_483_647],
])('%d MiB with factor %d need %d MiB more', (heap, factor, overhead) => {
  expect(memoryOverhead({ heap, factor, minimum: 384 })).toBe(overhead);
});

test('overhead is a whole number, at least the minimum, and grows with the heap', () => {
  const heaps = fc.integer({ min: 0, max: 2 ** 40 });
  const factors = fc.double({ min: 0, max: 1000, noNaN: true });
  fc.assert(fc.property(heaps, factors, fc.integer({ min: 0, max: 10_000 }), (heap, factor, minimum) => {
    const overhead = memoryOverhead({ heap, factor, minimum });
    expect(Number.isSafeInteger(overhead)).toBe(true);
    expect(overhead).toBeGreaterThanOrEqual(minimum);
    expect(memoryOverhead({ heap: heap + 1, factor, minimum })).toBeGreaterThanOrEqual(overhead);
  }));
});

test.each([['0.1', 0.1], ['.5', 0.5], ['1', 1], ['1.', 1], ['0', 0], ['-0.0', -0], ['1e-3', 0.001], [' 0.2f ', 0.2], ['1e9', 1e9], ['Infinity', Infinity]])('%j is the factor %d', (text, factor) => {
  expect(parseOverheadFactor(text, 'f')).toBe(factor);
});

test.each(['', 'NaN', '-0.1', '10%', '0x1', '.', 'f', '1ff', '\u00a01'])('%j is no factor', text => {
  expect(() => parseOverheadFactor(text, 'spec.memoryOverheadFactor')).toThrow(/write a number such as 0\.1$/);
});

test.each([[0.1, '0.1'], [0.4, '0.4'], [1, '1.0'], [0, '0.0'], [12.5, '12.5'], [0.0001, '1.0E-4'], [0.00015, '1.5E-4'], [12_345_678.9, '1.23456789E7'], [-0, '-0.0'], [Infinity, 'Infinity']])('Java prints %d as %s', (value, text) => {
  expect(javaDouble(value)).toBe(text);
});
