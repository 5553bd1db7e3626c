import { referencesOf } from '../../../src/plan/pods/references';

test.each([
  ['$(A) and $(B)', ['A', 'B']],
  ['$$(A)', []],
  ['$$$(A)', ['A']],
  ['$(A', []],
  ['$(A)B)', ['A']],
  [`${'$('.repeat(100_000)}A`, []],
])('%.20s', (value, names) => {
  expect(referencesOf({ value })).toEqual(names);
});
