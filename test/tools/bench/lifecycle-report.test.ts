import type { Figures, LifecycleFigures } from '../../../tools/bench/lifecycle/measurements.ts';
import { parseOptions } from '../../../tools/bench/lifecycle/options.ts';
import { exitCode, judge, render } from '../../../tools/bench/lifecycle/report.ts';

const MIB = 1024 * 1024;
const spread = (p50: number, p99: number, max: number) => ({ p50, p99, max });

function figures(cluster: Partial<LifecycleFigures> = {}, load = 0.1): Figures {
  return {
    machine: { processor: 'Test', cores: 2, node: '24.0.0', load },
    applications: 1000,
    executors: 2,
    driverSeconds: 30,
    startSeconds: 5,
    workers: 10,
    cluster: {
      nodes: 12,
      creation: 5000,
      submission: 25_000,
      whole: 60_000,
      toDriver: spread(9000, 20_000, 20_100),
      lag: { all: spread(50, 900, 1500), running: spread(40, 800, 1500), ended: spread(60, 950, 1400) },
      memory: { peak: 150 * MIB, idle: 90 * MIB },
      cpu: { user: 8, system: 1 },
      calls: { 'PUT sparkapplications/status': 6, 'POST pods': 1, 'POST events': 4 },
      allCalls: 48.5,
      queue: { mean: 12.3, max: 700 },
      processors: [{ program: 'kube-apiserver', busy: 0.9, cpu: 54_000 }, { program: 'operator', busy: 0.4, cpu: 24_000 }],
      otherLoad: 0,
      lateness: 20,
      watchCuts: 0,
      executorsMissed: 0,
      complaints: [],
      ...cluster,
    },
  };
}

test('goals that are met, and nothing to doubt', () => {
  expect(judge(figures())).toEqual({ perMinute: 2400, rateMet: true, lagMs: 900, lagMet: true, memoryMiB: 150, memoryMet: true, doubts: [] });
  const text = render(figures());
  expect(text).not.toMatch(/NOT MET|doubtful|undefined|NaN/);
  expect(text).toMatch(/^submissions a minute +2400 +>= 2000: met$/m);
  expect(text).toMatch(/^kube-apiserver +0.90 +54.0 ms$/m);
  expect(text).toMatch(/^from creation to driver Pod +9.00 s, 20.0 s, 20.1 s$/m);
});

test('calls by verb, the most frequent first', () => {
  expect(render(figures()).split('\n').filter((line) => /^(PUT|POST)/.test(line)).map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
    'PUT | 6.00 | sparkapplications/status 6.00', 'POST | 5.00 | events 4.00, pods 1.00',
  ]);
});

test.each<[string, Partial<LifecycleFigures>, object]>([
  ['the rate', { submission: 31_000 }, { rateMet: false, lagMet: true, memoryMet: true }],
  ['the status lag', { lag: { all: spread(1, 2000, 2000), running: spread(1, 1, 1), ended: spread(1, 1, 1) } }, { rateMet: true, lagMet: false, memoryMet: true }],
  ['memory', { memory: { peak: 200 * MIB, idle: 1 } }, { rateMet: true, lagMet: true, memoryMet: false }],
])('a goal that is missed: %s', (_, cluster, expected) => {
  const verdict = judge(figures(cluster));
  expect(verdict).toMatchObject(expected);
  expect(render(figures(cluster)).match(/NOT MET/g)).toHaveLength(1);
  expect([exitCode(verdict, { check: true }), exitCode(verdict, { check: false })]).toEqual([1, 0]);
});

test.each<[string, Figures, RegExp]>([
  ['load before the start', figures({}, 1.4), /load average was 1.40/],
  ['load meanwhile', figures({ otherLoad: 0.4 }), /0.40 processors busy/],
  ['a benchmark that is late', figures({ lateness: 250 }), /late by 250 ms/],
  ['a benchmark that reads too slowly', figures({ watchCuts: 2 }), /cut off a watch of the benchmark 2 times/],
  ['executors that the operator missed', figures({ executorsMissed: 3 }), /^3 executors are not in the status/],
  ['an operator that counts no calls', figures({ calls: {} }), /does not tell its calls/],
  ['an operator without a queue', figures({ queue: undefined }), /does not tell the depth/],
  ['complaints', figures({ complaints: ['{"msg":"too many events"}'] }), /complained 1 times.*too many events/],
])('makes the figures doubtful, but the goals not missed: %s', (_, doubtful, reason) => {
  const verdict = judge(doubtful);
  expect(verdict.doubts).toEqual([expect.stringMatching(reason)]);
  expect(render(doubtful)).toContain(verdict.doubts[0]);
  expect(exitCode(verdict, { check: true })).toBe(0);
});

test('the command line', () => {
  expect(parseOptions([])).toEqual({
    applications: 1000, executors: 2, driverSeconds: 30, startSeconds: 5, workers: 10, deadline: 300, profile: false, json: undefined, check: false, install: true,
  });
  expect(parseOptions(['--applications=10', '--executors', '0', '--driver-seconds=1', '--start-seconds=0', '--workers=2', '--deadline=60', '--profile', '--json', 'a.json', '--check', '--no-install']))
    .toEqual({ applications: 10, executors: 0, driverSeconds: 1, startSeconds: 0, workers: 2, deadline: 60, profile: true, json: 'a.json', check: true, install: false });
  expect(parseOptions(['--help'])).toBe('help');
});

test.each([['--applications', '0'], ['--executors', '-1'], ['--workers', '65'], ['--chekc']])('%s %s is refused', (...args) => {
  expect(() => parseOptions(args)).toThrow();
});
