import { findWideLines } from '../../../tools/lint/widths';

const lines = (source: string, name = 'src/kube/a.ts') => findWideLines(source, name).map(({ line, width, limit }) => [line, width, limit]);

test('code has at most 140 characters, a comment 100', () => {
  const [code, comment] = ["const a = '".padEnd(138, 'a') + "';", '// '.padEnd(100, 'a')];
  expect(lines([code, comment, ` * ${'a'.repeat(97)}`].join('\n'))).toEqual([]);
  expect(lines([`${code} `, `${comment}a`, ` * ${'a'.repeat(98)}`].join('\n'))).toEqual([[1, 141, 140], [2, 101, 100], [3, 101, 100]]);
});

test('the JSON of a validation rule is one line', () => {
  expect(lines(` * @validation ${'a'.repeat(200)}`)).toEqual([]);
});
