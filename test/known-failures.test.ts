/* known-failures.json against the tests: each case has its tests in the files of the list, and each test its case. docs/explain/known-failures.md has a row for each. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import CASES from './known-failures.json';

const pairs = (list: readonly (readonly [string, string])[]) => list.map(([number, file]) => `${number} in ${file}`).sort();

/** The cases that the names of tests begin with, and the files of these tests. */
const TESTED = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => {
    const numbers = [...readFileSync(join(__dirname, file), 'utf8').matchAll(/[(['"`]known failure (R?\d+): /g)].map(([, number]) => number!);
    return [...new Set(numbers)].map((number) => [number, file] as const);
  });

/** Cases 1 to 25 are from issues, the others from reading sources. */
const NUMBERS = [...Array.from({ length: 25 }, (_, index) => `${index + 1}`), ...Array.from({ length: CASES.length - 25 }, (_, index) => `R${index + 1}`)];

test('the list has each case once, and the issues of those that users have reported', () => {
  expect(CASES.map((each) => each.case)).toEqual(NUMBERS);
  const unreported = CASES.filter(({ case: number, reported = [] }) => !number.startsWith('R') && !reported.every((issue) => /^#\d+$/.test(issue)));
  expect(unreported).toEqual([]);
  expect(CASES.filter(({ reported }) => reported).length).toBe(25);
});

test('each case has tests in the files that the list names, and no others', () => {
  expect(pairs(TESTED)).toEqual(pairs(CASES.flatMap((each) => each.tests.map((file) => [each.case, file] as const))));
});

test('the page has a row for each case, with a link', () => {
  const rows = readFileSync(join(__dirname, '../docs/explain/known-failures.md'), 'utf8').split('\n').filter((line) => /^\| R?\d+ \|/.test(line));
  expect(rows.map((line) => line.split(' | ')[0]!.slice(2))).toEqual(NUMBERS);
  expect(rows.filter((line) => !/\]\(.*\) \|$/.test(line))).toEqual([]);
});
