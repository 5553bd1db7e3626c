/* docs/operate/scaling.md and sizing.md: the table of calls is what is counted, and the arithmetic is right. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLAG_GROUPS } from '../src/flags/table';
import budget from './api/budget.json';

const PAGE = ['scaling', 'sizing'].map((name) => readFileSync(join(__dirname, `../docs/operate/${name}.md`), 'utf8')).join('\n');
const cellsOf = (line: string) => line.split('|').slice(1, -1).map((cell) => cell.trim());
const number = (text: string) => Number(text.replaceAll(',', ''));
/** The numbers of a sentence of the page, from the second on; it has to be there. */
const numbersIn = (sentence: RegExp) => sentence.exec(PAGE)!.map(number);

test('what one application costs is what the budget says', () => {
  const [, table] = /\n\| call \| times \| why \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(PAGE)!;
  const documented = Object.fromEntries(table!.trim().split('\n').map(cellsOf).map(([call, times]) => [call, Number(times)]));
  const counted = Object.entries(budget.scenarios['one application with 5 executors'] as Record<string, { calls?: number }>).filter(([, { calls }]) => calls !== undefined);
  expect(documented).toEqual(Object.fromEntries(counted.map(([call, { calls }]) => [call, calls])));
});

test('the help of --kube-api-qps has the calls of the budget', () => {
  const calls = Object.entries(budget.scenarios['one application with 5 executors'] as Record<string, { calls?: number }>);
  const [, submission, until] = /A submission makes (\d+), and an application with 5 executors (\d+) until/.exec(FLAG_GROUPS['The Kubernetes API']['kube-api-qps'].help)!;
  expect(Number(until)).toBe(calls.filter(([call]) => /^(?:create|update|delete) /.test(call)).reduce((sum, [, cost]) => sum + cost.calls!, 0));
  // One of each kind: the rest of them is for the web UI, executors and later states.
  expect(Number(submission)).toBe(calls.filter(([call]) => /^(?:create|update) /.test(call)).length);
});

test('how many bytes an application and a restart cost is what the budget says', () => {
  const received = (scenario: keyof typeof budget.scenarios, calls: RegExp) => (
    Object.entries(budget.scenarios[scenario] as Record<string, { received?: number }>).filter(([call]) => calls.test(call)).reduce((sum, [, cost]) => sum + cost.received!, 0)
  );
  const [, watched] = numbersIn(/The watches bring it some (\d+) KB/);
  expect(watched).toBeCloseTo(received('one application with 5 executors', /^watch /) / 1000, -1);

  const restart = '20 running and 20 finished: a restart';
  const [, pod, application, sum, applications, pods] = numbersIn(/([\d.]+) KB for a pod and ([\d.]+) KB for an application, so some (\d+) MB for ([\d,]+) applications and ([\d,]+) pods/);
  expect(application).toBeCloseTo(received(restart, /^list sparkapplications$/) / 40 / 1000, 1);
  // Each of the 40 has a driver and 2 executors.
  expect(pod).toBeCloseTo(received(restart, /^list pods$/) / 120 / 1000, 1);
  expect(sum).toBeCloseTo((pods! * pod! + applications! * application!) / 1000, -1);
});

test('what a processor is enough for follows from the time of an application', () => {
  const [, least, most] = numbersIn(/(\d+) to (\d+) ms for an application with 5 executors/);
  const [, cores, rate, each] = numbersIn(/: ([\d.]+) cores are what ([\d,]+) an hour take, at (\d+) ms each/);
  expect([each! >= least!, each]).toEqual([true, most]);
  expect(rate! / 3600 * each! / 1000).toBeCloseTo(cores!);
  const [, busy, time, hourly] = numbersIn(/grows by ([\d.]+) a second or more[^]*?At (\d+) ms for an application, that is above some ([\d,]+) an hour/);
  expect([time, Math.floor(busy! * 3600 / (time! / 1000) / 10_000) * 10_000]).toEqual([most, hourly]);
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
