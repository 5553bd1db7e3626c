import { SharedStrings } from '../../src/kube/shared-strings';

test('objects of equal texts are one, until they are forgotten', () => {
  const strings = new SharedStrings(1);
  const [first, second] = [{ a: 1 }, { a: 1 }];
  expect(strings.shareObject('1', () => first)).toBe(first);
  expect(strings.shareObject('1', () => second)).toBe(first);
  strings.shareObject('2', () => ({ a: 2 }));
  expect(strings.shareObject('1', () => second)).toBe(second);
});

test('share returns equal strings, and evicts them in the order of their arrival', () => {
  const strings = new SharedStrings(2);
  for (const text of ['a', 'b', 'a', 'c', 'a']) expect(strings.share(text)).toBe(text);
  expect([...(strings as unknown as { strings: Map<string, string> }).strings.keys()]).toEqual(['c', 'a']);
});

test('long strings and texts of objects are not remembered', () => {
  const strings = new SharedStrings();
  expect(strings.share('x'.repeat(201))).toHaveLength(201);
  const text = 'x'.repeat(2_049);
  expect(strings.shareObject(text, () => ({ a: 1 }))).not.toBe(strings.shareObject(text, () => ({ a: 1 })));
  const { strings: texts, objects } = strings as unknown as { strings: Map<string, string>; objects: Map<string, object> };
  expect([texts.size, objects.size]).toEqual([0, 0]);
});
