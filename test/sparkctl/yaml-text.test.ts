import fc from 'fast-check';
import { parse } from 'yaml';
import { yamlText } from '../../src/text/yaml';

const NASTY = ['on', 'yes', 'y', 'NO', '0755', '1:30', '1e3', '2026-01-01', 'null', '~', '<<', '=', '.inf', 'a: b', '# x', '- x', ' a', 'a ', 'a\nb\n', 'a\r\nb', '\t', '\x1b[31m', '\x85', '\u2028', '\ufeff', ''];

test.each(['1.1', '1.2'] as const)('readers of YAML %s read what was written, as values and as names', (version) => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...NASTY));
  const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text), fc.dictionary(text.filter((name) => name !== '__proto__'), text));
  fc.assert(fc.property(fc.dictionary(fc.constantFrom('a', ...NASTY), value), (object) => {
    expect(parse(yamlText(object), { version })).toEqual({ ...object });
  }), { numRuns: 200 });
});

test('escapes characters that some parsers treat as line ends', () => {
  expect(yamlText({ a: 'x\x85y\u2028z' })).toBe('a: "x\\u0085y\\u2028z"\n');
});

test('does not wrap lines, and writes block scalars for several lines', () => {
  expect(yamlText({ a: 'x '.repeat(100), b: '1\n2\n', c: [{ d: 1 }] })).toBe(`a: "${'x '.repeat(100)}"\nb: |\n  1\n  2\nc:\n  - d: 1\n`);
});
