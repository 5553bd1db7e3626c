import * as fc from 'fast-check';
import { openJsonList } from '../../src/kube/json-list';

const opened = (text: string) => {
  const { items, ...others } = openJsonList(Buffer.from(text));
  return { ...others, items: items && [...items] };
};
const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
const list = fc.record({ metadata: object, items: fc.array(object), others: object });

test('every list has the same items as JSON.parse returns, however it is formatted', () => {
  fc.assert(fc.property(list, fc.constantFrom(0, 2, '\t', '\r\n'), fc.boolean(), ({ metadata, items, others }, space, isFirst) => {
    const value = isFirst ? { metadata, items, others } : { 'others': others, 'a "key"': [items], items, metadata, 'kind': 'ThingList' };
    const text = JSON.stringify(value, undefined, space);
    const read = JSON.parse(text);
    expect(opened(text)).toEqual({ metadata: read.metadata, items: read.items });
  }));
});

test('a truncated list is rejected', () => {
  fc.assert(fc.property(list, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (value, share) => {
    const text = Buffer.from(JSON.stringify(value));
    expect(() => openJsonList(text.subarray(0, Math.floor(share * text.length)))).toThrow(SyntaxError);
  }));
});

test.each([
  ['text after it', '{"metadata":{},"items":[]} and more'], ['no comma', '{"metadata":{}"items":[]}'],
  ['no colon', '{"metadata" {},"items":[]}'], ['no key', '{metadata:{},"items":[]}'],
  ['an object that does not end', '{"metadata":{},"items":[{]}'], ['nothing', ''],
])('%s is rejected', (_, text) => {
  expect(() => opened(text)).toThrow(SyntaxError);
});

test('an invalid item is rejected when it is read', () => {
  const { metadata, items } = openJsonList(Buffer.from('{"metadata":{"continue":"next"},"items":[{"a":1},{"b":tru}]}'));
  expect(metadata).toEqual({ continue: 'next' });
  const objects = items![Symbol.iterator]();
  expect(objects.next().value).toEqual({ a: 1 });
  expect(() => objects.next()).toThrow(SyntaxError);
});

test.each([
  '{"kind":"Status","code":200}', '{"metadata":{},"items":null}', '{"items":[]}', '[{"metadata":{}}]', '"text"', 'null',
])('%s is not a list, and is parsed as a whole', (text) => {
  expect(openJsonList(Buffer.from(text))).toEqual(JSON.parse(text));
});
