import { SharedStrings } from '../../src/kube/shared-strings';

test('equal strings are given as they are, and forgotten in the order in which they came', () => {
  const strings = new SharedStrings(2);
  for (const text of ['a', 'b', 'a', 'c', 'a']) expect(strings.share(text)).toBe(text);
  expect([...(strings as unknown as { strings: Map<string, string> }).strings.keys()]).toEqual(['c', 'a']);
});
