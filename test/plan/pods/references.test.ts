import fc from 'fast-check';
import { References } from '../../../src/plan/pods/references';

test.each([
  ['$(A) and $(B)', ['A', 'B']],
  ['$$(A)', ['A']],
  ['$($(A)', ['A']],
  ['$(A', []],
  ['$(NOBODY)', []],
  ['$(A)B)', ['A', 'A)B']],
])('%s', (value, names) => {
  expect([...new References(['A', 'B', 'A)B']).of({ value })]).toEqual(names);
});

test('References finds the same as a search of the text for each name', () => {
  const part = fc.constantFrom('$(', ')', 'A', 'B', '$');
  const text = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''));
  fc.assert(fc.property(fc.uniqueArray(text, { maxLength: 6 }), text, (names, value) => {
    expect([...new References(names).of({ value })].sort()).toEqual(names.filter((name) => value.includes(`$(${name})`)).sort());
  }));
});
