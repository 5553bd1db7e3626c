import { SharedStrings } from '../../src/kube/shared-strings';

test('shareAll deduplicates all strings of an object except long ones, and changes nothing else', () => {
  const strings = new SharedStrings();
  const object = JSON.parse(`{"a":"x","b":[{"c":"y","d":null,"e":1,"__proto__":"z"},"x"],"f":{"g":"${'long'.repeat(60)}"},"h":true}`);
  const before = structuredClone(object);
  expect(strings.shareAll(object)).toBe(object);
  expect(object).toEqual(before);
  expect([...(strings as unknown as { strings: Map<string, string> }).strings.keys()]).toEqual(['x', 'y', 'z']);
});

test('thousands of levels do not overflow the stack', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(9_000)}"x"${'}'.repeat(9_000)}`);
  expect(new SharedStrings().shareAll(deep)).toBe(deep);
});

test('shareObject returns the same object for equal texts until it is evicted', () => {
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
