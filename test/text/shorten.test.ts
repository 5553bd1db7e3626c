import { beginningOf, endOf } from '../../src/text/shorten';

test.each<[text: string, length: number, beginning: string, end: string]>([
  ['abc', 2, 'ab', 'bc'],
  ['abc', 3, 'abc', 'abc'],
  ['äöü', 2, 'äö', 'öü'],
  ['a😀b', 2, 'a', 'b'],
  ['a😀b', 3, 'a😀', '😀b'],
  ['😀', 1, '', ''],
  ['😀', 2, '😀', '😀'],
  ['abc', 0, '', ''],
])('of %j %d characters: %j, %j', (text, length, beginning, end) => {
  expect(beginningOf(text, length)).toBe(beginning);
  expect(endOf(text, length)).toBe(end);
});
