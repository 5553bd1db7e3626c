import type { Figures, MinuteFigures } from '../../../tools/bench/scheduled/measurements.ts';
import { parseOptions } from '../../../tools/bench/scheduled/options.ts';
import { exitCode, judge, render } from '../../../tools/bench/scheduled/report.ts';

const spread = (p50: number, p99: number, max: number) => ({ p50, p99, max });

function figures(cluster: Partial<MinuteFigures> = {}, load = 0.1): Figures {
  return {
    machine: { processor: 'Test', cores: 2, node: '24.0.0', load },
    schedules: 2000,
    workers: 10,
    cluster: {
      runs: 2000, lag: spread(4000, 7900, 8000), statusLag: spread(8000, 15_000, 16_000), submitted: 50, cpu: { user: 5000, system: 500 }, calls: { 'POST sparkapplications': 2000 },
      otherLoad: 0, lateness: 20, complaints: [], ...cluster,
    },
  };
}

test('a goal that is met, and nothing to doubt', () => {
  expect(judge(figures())).toEqual({ lagMs: 8000, met: true, doubts: [] });
  const text = render(figures());
  expect(text).not.toMatch(/NOT MET|doubtful|undefined|NaN/);
  expect(text).toMatch(/^until the run was there +4.00 s, 7.90 s, 8.00 s +max <= 10 s: met$/m);
  expect(text).toMatch(/^CPU time of the operator for one +2.75 ms$/m);
});

test.each<[string, Partial<MinuteFigures>]>([
  ['the last run is late', { lag: spread(4000, 9000, 10_001) }],
  ['a run is missing', { runs: 1999 }],
  ['there is one too many', { runs: 2001 }],
])('a goal that is missed makes the run fail, unless it is not to: %s', (_, cluster) => {
  const verdict = judge(figures(cluster));
  expect(verdict.met).toBe(false);
  expect(render(figures(cluster))).toContain('NOT MET');
  expect([exitCode(verdict, { check: true }), exitCode(verdict, { check: false })]).toEqual([1, 0]);
});

test('what speaks against the figures', () => {
  expect(judge(figures({ otherLoad: 0.9, lateness: 500, complaints: ['slow'] }, 3)).doubts).toHaveLength(4);
});

test('flags', () => {
  expect(parseOptions([])).toEqual({ schedules: 2000, workers: 10, profile: false, json: undefined, check: true, install: true });
  expect(parseOptions(['--schedules=100', '--no-check'])).toMatchObject({ schedules: 100, check: false });
  expect(() => parseOptions(['--schedules=0'])).toThrow('--schedules=0 is not a whole number from 1 to 10000');
});
