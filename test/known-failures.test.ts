/* docs/explain/known-failures.md against the tests: each case has its tests where the page says, and each test has its case. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PARTS = ['scheduled', 'connect', 'schedulers', 'console'];

/** A row of the page: the case, and its last column. */
const ROWS = readFileSync(join(__dirname, '../docs/explain/known-failures.md'), 'utf8').split('\n')
  .flatMap((line) => (/^\| R?\d+ \|/.test(line) ? [line.split(' | ')] : []))
  .map((cells) => ({ number: cells[0]!.replace('| ', ''), tests: cells.at(-1)!.replace(/ \|$/, '') }));
const pairs = (list: readonly (readonly [string, string])[]) => list.map(([number, file]) => `${number} in ${file}`).sort();

/** The cases that the names of tests begin with, and the files of these tests. */
const TESTED = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => {
    const numbers = [...readFileSync(join(__dirname, file), 'utf8').matchAll(/[(['"`]known failure (R?\d+): /g)].map(([, number]) => number!);
    return [...new Set(numbers)].map((number) => [number, file] as const);
  });

test('the page has the cases 1 to 25, and those that were found by reading, once each', () => {
  const numbers = ROWS.map(({ number }) => number);
  expect(numbers.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, index) => `${index + 1}`));
  expect(numbers.slice(25)).toEqual(numbers.slice(25).map((_, index) => `R${index + 1}`));
});

test('each case has tests in the files that the page names, and no others; or it belongs to a later part', () => {
  const isLater = ({ tests }: { tests: string }) => PARTS.some((part) => tests === `later: ${part}`);
  const named = ROWS.filter((row) => !isLater(row)).flatMap(({ number, tests }) => tests.split(', ').map((file) => [number, file.replaceAll('`', '')] as const));
  expect(pairs(TESTED)).toEqual(pairs(named));
});
