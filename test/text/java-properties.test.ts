import fc from 'fast-check';
import { parseJavaProperties } from '../../src/text/read-java-properties';
import { renderJavaProperties } from '../../src/text/java-properties';

const render = (properties: { [key: string]: string }) => renderJavaProperties(Object.entries(properties), 'comment');

test('properties are sorted, under one line of comment', () => {
  expect(render({ 'spark.b': '2', 'spark.a': '1' })).toBe('#comment\nspark.a=1\nspark.b=2\n');
});

test.each([
  ['a separator', 'k', 'a=b:c#d!e', 'k=a\\=b\\:c\\#d\\!e'],
  ['a backslash', 'k', 'C:\\x', 'k=C\\:\\\\x'],
  ['a leading space, which would be skipped', 'k', '  a b', 'k=\\  a b'],
  ['spaces of a key, which would end it', 'a b', 'v', 'a\\ b=v'],
  ['control characters', 'k', 'a\tb\nc\rd\fe', 'k=a\\tb\\nc\\rd\\fe'],
  ['letters beyond ASCII, which stay', 'k', 'é€😀', 'k=é€😀'],
  [
    'what spark-submit was seen to write', 'spark.driver.extraJavaOptions', '-Dx=y z=é#!:',
    'spark.driver.extraJavaOptions=-Dx\\=y z\\=é\\#\\!\\:',
  ],
  ['nothing', 'k', '', 'k='],
])('escapes %s', (_, key, value, line) => {
  expect(render({ [key]: value })).toBe(`#comment\n${line}\n`);
});

test.each([
  ['comments and blank lines', '# a\n! b\n\n   \nk=v\n', { k: 'v' }],
  ['every separator', 'a=1\nb:2\nc 3\nd = 4\ne\t:\t5\nf', { a: '1', b: '2', c: '3', d: '4', e: '5', f: '' }],
  ['continued lines', 'k=a\\\n    b\\\\\nl=c', { k: 'ab\\', l: 'c' }],
  ['continued lines that look like comments', 'k=a\\\n#b', { k: 'a#b' }],
  ['unicode escapes', 'k=\\u0041\\u00e9', { k: 'Aé' }],
  ['escapes of no meaning', 'k=\\z\\"', { k: 'z"' }],
  ['all line ends', 'a=1\r\nb=2\rc=3', { a: '1', b: '2', c: '3' }],
  ['the later of two', 'k=1\nk=2', { k: '2' }],
])('reads %s', (_, text, properties) => {
  expect(Object.fromEntries(parseJavaProperties(text))).toEqual(properties);
});

test('a broken unicode escape is an error', () => {
  expect(() => parseJavaProperties('k=\\u00g1')).toThrow(/malformed/);
});

test('the parser reads any rendered properties', () => {
  // In a plain object, keys of Object.prototype look like existing ones, so this uses a Map.
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...' \t\n\r\f\\=:#!uabé') }));
  fc.assert(fc.property(fc.array(fc.tuple(texts, texts)), entries => {
    const properties = new Map(entries);
    expect(parseJavaProperties(renderJavaProperties(properties, 'comment'))).toEqual(properties);
  }), { numRuns: 500 });
});

test('the order of the input does not matter', () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.string()), properties => {
    const entries = Object.entries(properties);
    expect(renderJavaProperties([...entries].reverse(), 'c')).toBe(renderJavaProperties(entries, 'c'));
  }));
});
