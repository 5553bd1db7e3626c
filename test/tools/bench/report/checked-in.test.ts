/* The report in bench/ is that of the figures beside it, of where the time goes, and of the remarks, and docs/benchmarks.md shows its table: `npm run bench -- --render` writes both anew. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHMARKS_PAGE, withTable } from '../../../../tools/bench/report/benchmarks-page.ts';
import { PARTS, type BenchFigures } from '../../../../tools/bench/report/figures.ts';
import { goalsOf } from '../../../../tools/bench/report/goals.ts';
import { outdated, unexplained } from '../../../../tools/bench/report/remarks.ts';
import { renderReport } from '../../../../tools/bench/report/report.ts';

const root = join(__dirname, '../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const figures: BenchFigures = JSON.parse(read('bench/figures.json'));

test('it is of a whole run, of which nothing failed', () => {
  const { quick, profiled, failures, parts } = figures;
  // Neighbours is newer than the run that is checked in.
  const names = PARTS.filter((part) => part !== 'neighbours' || parts.neighbours);
  expect({ quick, profiled, failures, parts: Object.keys(parts).sort() }).toEqual({ quick: false, profiled: false, failures: [], parts: names.sort() });
});

test('text and plots are what the figures and the remarks say', () => {
  const { text, plots } = renderReport(figures, read('bench/remarks.md'), JSON.parse(read('bench/profiles.json')));
  expect(read('bench/report.md')).toBe(text);
  expect(readdirSync(join(root, 'bench/plots')).sort()).toEqual(plots.map(({ name }) => `${name}.svg`).sort());
  for (const { name, svg } of plots) expect(read(`bench/plots/${name}.svg`)).toBe(svg);
});

test('the remarks say why goals were missed and what comes next, each under a heading of its name, and speak of no others', () => {
  const [goals, remarks] = [goalsOf(figures), read('bench/remarks.md')];
  expect([unexplained(goals, remarks), outdated(goals, remarks)]).toEqual([[], []]);
});

test('figures and profiles are of one version of the operator', () => {
  const { version, phases } = JSON.parse(read('bench/profiles.json'));
  expect(new Set([version, ...Object.values(figures.parts).map((part) => part.version)]).size).toBe(1);
  expect(phases.map(({ phase }: { phase: string }) => phase)).toEqual(['submission of many at once', 'lifecycle', 'steady state', 'restart']);
});

test('the page of benchmarks shows the table', () => {
  expect(withTable(read(BENCHMARKS_PAGE), figures, read('bench/remarks.md'))).toBe(read(BENCHMARKS_PAGE));
});
