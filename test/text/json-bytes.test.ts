import fc from 'fast-check';
import { bytesOf, isLongerThan } from '../../src/text/json-bytes';

const ascii = fc.string({ unit: fc.constantFrom('a', 'B', '0', '-', '.') });
const json = fc.jsonValue({ stringUnit: fc.constantFrom('a', 'B', '0', '-', '.') as never });

test('the length of a text without escapes is that of its JSON, but for a comma of each list and object', () => {
  fc.assert(fc.property(fc.oneof(ascii, json), fc.nat(200), (value, limit) => {
    const lists = (JSON.stringify(value).match(/[[{](?![\]}])/g) ?? []).length;
    expect(isLongerThan(value, limit)).toBe(bytesOf(value) + lists > limit);
  }));
});

test('a value that is much longer than the limit is not read to its end', () => {
  const value = ['x'.repeat(100), { get never(): string { throw new Error('was read'); } }];
  expect(isLongerThan(value, 50)).toBe(true);
});
