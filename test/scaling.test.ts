/* docs/scaling.md: its table of calls is what is counted, and its arithmetic is right. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import budget from './api/budget.json';

const PAGE = readFileSync(join(__dirname, '../docs/scaling.md'), 'utf8');
const cellsOf = (line: string) => line.split('|').slice(1, -1).map((cell) => cell.trim());
const number = (text: string) => Number(text.replaceAll(',', ''));

test('what one application costs is what the budget says', () => {
  const [, table] = /\n\| call \| times \| why \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(PAGE)!;
  const documented = Object.fromEntries(table!.trim().split('\n').map(cellsOf).map(([call, times]) => [call, Number(times)]));
  const counted = Object.entries(budget.scenarios['one application with 5 executors'] as Record<string, { calls?: number }>).filter(([, { calls }]) => calls !== undefined);
  expect(documented).toEqual(Object.fromEntries(counted.map(([call, { calls }]) => [call, calls])));
});

test('how many there are at a time is rate times duration', () => {
  const [, table] = /\n\| applications \| a second .*\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(PAGE)!;
  const rows = table!.trim().split('\n').map(cellsOf);
  expect(rows).toHaveLength(6);
  for (const [rate, , ...counts] of rows) {
    const [, count, unit] = /^([\d,]+) (?:a|an) (day|hour)$/.exec(rate!)!;
    const perSecond = number(count!) / (unit === 'day' ? 86_400 : 3_600);
    const expected = [300, 3_600].flatMap((duration) => [perSecond * duration, perSecond * duration * 6]);
    counts.forEach((cell, index) => expect(Math.abs(number(cell) - expected[index]!)).toBeLessThanOrEqual(Math.max(0.5, expected[index]! * 0.01)));
  }
});

test('how many Pods the lists of drivers look at grows with their square', () => {
  const [, table] = /\n\| drivers in one namespace.*\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(PAGE)!;
  for (const [drivers, lists, pods] of table!.trim().split('\n').map(cellsOf).map((row) => row.map(number)) as [number, number, number][]) {
    expect(lists).toBeCloseTo(drivers / 30, 0);
    expect(pods).toBe(Math.round(drivers / 30 * drivers * 6));
  }
});
