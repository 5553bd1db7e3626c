import fc from 'fast-check';
import { memoryQuantity } from '../../../src/plan/pods/memory-limit';
import { parseQuantity, sameQuantity } from '../../../src/plan/pods/quantity';
import { SubmissionError } from '../../../src/plan/errors';

const NANO = 10n ** 9n;

test.each([
  ['0', 0n], ['1', NANO], ['500m', NANO / 2n], ['0.5', NANO / 2n], ['.5', NANO / 2n], ['1.', NANO], ['-2', -2n * NANO], ['+2', 2n * NANO],
  ['1k', 1000n * NANO], ['1Ki', 1024n * NANO], ['1.5Gi', 1536n * 1024n * 1024n * NANO], ['2e3', 2000n * NANO],
  ['2E3', 2000n * NANO], ['2E', 2n * 10n ** 18n * NANO],
  ['5e-1', NANO / 2n], ['1n', 1n], ['0.1n', 1n], ['1u', 1000n],
])('%s', (text, amount) => {
  expect(parseQuantity(text)).toBe(amount);
});

test.each(['', 'x', '1g', '1 Gi', '1Gib', '--1', '1e', '.', '1e999', '1'.repeat(65)])('%j is not a quantity', (text) => {
  expect(parseQuantity(text)).toBeUndefined();
  expect(sameQuantity(text, text)).toBe(false);
});

test('numbers are equal in every notation', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 1_000_000 }), (number) => {
    expect(sameQuantity(String(number), `${number * 1000}m`)).toBe(true);
    expect(sameQuantity(`${number}Gi`, `${number * 1024}Mi`)).toBe(true);
    expect(sameQuantity(`${number}`, `${number + 1}`)).toBe(false);
  }));
});

test.each([
  ['6g', '6Gi'], ['6Gi', '6Gi'], ['6G', '6Gi'], ['6gb', '6Gi'], ['512m', '512Mi'], ['512 ', '512'], [' 1.5g', '1.5Gi'],
  ['100b', '100'], ['1t', '1Ti'], ['1mib', '1Mi'], ['1E', '1E'], ['1Ei', '1Ei'],
])('a memory limit of %s is %s', (text, quantity) => {
  expect(memoryQuantity(text, 'f')).toBe(quantity);
});

test.each(['', 'g', '-1g', '1x', '1 g', '1e3', '1mx', '1eb'])('%j is not a memory limit', (text) => {
  expect(() => memoryQuantity(text, 'f')).toThrow(SubmissionError);
});
