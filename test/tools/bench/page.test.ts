/* docs/explain/benchmarks.md shows the table of bench/figures.json; `npm run bench -- --table` writes it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FiguresFile } from '../../../tools/bench/figures.ts';
import { goalsOf } from '../../../tools/bench/goals.ts';
import { anchorOf, PAGE, withTable } from '../../../tools/bench/page.ts';

const root = join(__dirname, '../../..');
const page = readFileSync(join(root, PAGE), 'utf8');
const file: FiguresFile = JSON.parse(readFileSync(join(root, 'bench/figures.json'), 'utf8'));
/** The section of the page with a heading. */
const section = (heading: string) => page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))!;
/** Its parts by heading. */
const reasons = Object.fromEntries(section('Missed goals').split(/^### /m).slice(1).map((part) => [part.split('\n', 1)[0]!, part]));

test('the page has the table of the figures', () => {
  expect(withTable(page, file)).toBe(page);
  expect(page).toMatch(/\n- 20\d\d-\d\d-\d\d, commit /);
});

test('the page has the reason of each missed goal and the next step, and of no other goal', () => {
  const missed = goalsOf(file).filter(({ met }) => !met).map(({ name }) => name);
  expect(Object.keys(reasons)).toEqual(missed);
  for (const reason of Object.values(reasons)) expect(reason).toMatch(/\S[^]*\bNext: \S/);
});

test('a page without a place for the table is rejected', () => {
  expect(withTable('# Benchmarks', file)).toBeUndefined();
  expect(withTable('<!-- bench:end --><!-- bench:begin -->', file)).toBeUndefined();
});

test('the anchor of a heading is that of GitHub', () => {
  expect(anchorOf('CPU time of a submission')).toBe('#cpu-time-of-a-submission');
  expect(anchorOf('spark-submit')).toBe('#spark-submit');
});

test('scenarios of the same day, commit and machine share a line', () => {
  const submission = file.scenarios.submission!;
  const synth = { ...submission, figures: file.scenarios.synth!.figures };
  const another = { ...synth, commit: 'another', figures: { schedules: 1, lag: { p50: 1, p99: 1, max: 1 } } };
  const lines = withTable('<!-- bench:begin -->\n<!-- bench:end -->', { ...file, scenarios: { submission, scheduled: another, synth } })!;
  expect(lines.match(/^- .*commit.*$/gm)).toEqual([
    expect.stringMatching(/: submission, synth$/), expect.stringMatching(/commit another, .*: scheduled$/),
  ]);
});
