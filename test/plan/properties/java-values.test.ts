import { javaInt, javaSplit, javaTrim, scalaBoolean, sparkList } from '../../../src/plan/properties/java-values';

test.each([
  [' a\t\n', 'a'], ['\u0001a\u001f', 'a'], ['\u00a0a\ufeff', '\u00a0a\ufeff'], [' ', ''],
])('Java trims %j to %j', (text, trimmed) => {
  expect(javaTrim(text)).toBe(trimmed);
});

test.each([
  ['a:b', ['a', 'b']], ['a::b', ['a', '', 'b']], ['a:b::', ['a', 'b']], [':b', ['', 'b']], ['', ['']], [':', []], ['::', []],
])('Java splits %j into %j', (text, parts) => {
  expect(javaSplit(text, ':')).toEqual(parts);
});

test.each([
  ['0', 0], ['007', 7], ['+3', 3], ['-3', -3], ['2147483647', 2_147_483_647], ['-2147483648', -2_147_483_648],
  ['2147483648', undefined], [' 1', undefined], ['1.0', undefined], ['1e3', undefined], ['0x1', undefined], ['', undefined],
  ['+', undefined], ['1_000', undefined],
])('%j is the integer %s', (text, value) => {
  expect(javaInt(text)).toBe(value);
});

test.each([
  ['true', true], ['FALSE', false], [' true', undefined], ['yes', undefined], ['', undefined], ['constructor', undefined],
])('%j is %s', (text, value) => {
  expect(scalaBoolean(text)).toBe(value);
});

test('a list of Spark has no spaces and no empty parts', () => {
  expect(sparkList(' a ,, b\t,')).toEqual(['a', 'b']);
});
