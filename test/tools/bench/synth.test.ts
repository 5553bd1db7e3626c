import type { Figures, Run } from '../../../tools/bench/synth/measurements.ts';
import { parseOptions } from '../../../tools/bench/synth/options.ts';
import { exitCode, judge, render } from '../../../tools/bench/synth/report.ts';

const run = (whole: number): Run => ({ whole, load: 300, construct: whole / 2, write: whole / 4, memory: 128 * 1024 * 1024, size: 1024 * 1024 });
const figures = (...wholes: number[]): Figures => ({
  machine: { processor: 'Test', cores: 2, node: '24.0.0', load: 0.1 },
  sizes: [{ applications: 10, runs: [run(400)] }, { applications: 1000, runs: wholes.map(run) }],
});

test('the run in the middle counts', () => {
  expect(judge(figures(9000, 2000, 3000))).toEqual({ wholeMs: 3000, wholeMet: true, doubts: [] });
  expect(judge(figures(9000, 2000)).wholeMs).toBe(2000);
  expect(render(figures(3000))).toMatch(/^1000 applications +3\.00 s +< 5 s: met$/m);
});

test('a goal that is missed fails with --check only', () => {
  const missed = figures(6000);
  expect(render(missed)).toContain('NOT MET');
  expect([exitCode(judge(missed), { check: true }), exitCode(judge(missed), { check: false }), exitCode(judge(figures(3000)), { check: true })]).toEqual([1, 0, 0]);
});

test('flags', () => {
  expect(parseOptions([])).toEqual({ runs: 3, most: 10_000, json: undefined, check: false });
  expect(parseOptions(['--runs=5', '--most=1000', '--json', 'a.json', '--check'])).toEqual({ runs: 5, most: 1000, json: 'a.json', check: true });
  expect(parseOptions(['--help'])).toBe('help');
  expect(() => parseOptions(['--runs', '0'])).toThrow('--runs=0 is not a whole number from 1 to 50');
});
