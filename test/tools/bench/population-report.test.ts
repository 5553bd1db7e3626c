import { exitCode, judge } from '../../../tools/bench/population/goals.ts';
import type { Load, PopulationFigures, Size } from '../../../tools/bench/population/measurements.ts';
import { parseOptions } from '../../../tools/bench/population/options.ts';
import { planOf, profileOf } from '../../../tools/bench/population/plan.ts';
import { render } from '../../../tools/bench/population/report.ts';

const MIB = 1024 * 1024;
const spread = (p50: number, p99: number, max: number) => ({ p50, p99, max });
const LAG = { all: spread(50, 900, 1500), running: spread(40, 800, 1500), ended: spread(60, 950, 1400) };

function load(more: Partial<Load> = {}): Load {
  return {
    milliseconds: 60_000,
    cpu: { user: 8000, system: 1000 },
    memory: { peak: 180 * MIB, median: 150 * MIB },
    eventLoopDelay: 25,
    eventLoopBlocked: 80,
    calls: { 'PUT sparkapplications/status': 4000, 'POST pods': 1000, 'POST events': 3000 },
    received: { 'watch pods': 90 * MIB, 'watch sparkapplications': 10 * MIB },
    queue: { mean: 12.3, max: 700 },
    processors: [{ program: 'kube-apiserver', busy: 0.9, cpu: 54_000, memory: 1 }, { program: 'operator', busy: 0.4, cpu: 24_000, memory: 1 }],
    otherLoad: 0,
    stolen: 0,
    collections: [],
    lateness: 20,
    ...more,
  };
}

const WRITES = { handOver: 1, status: 4, created: 5, deleted: 1, others: 0, events: 3 };

function lifecycle(applications: number, more: object = {}) {
  return {
    size: size(applications), driverSeconds: 6, after: { created: 5000, submitted: 25_000, running: 30_000, completed: 60_000 },
    toDriver: spread(9000, 20_000, 20_100), lag: LAG, load: load(), allCalls: 48_500, writes: WRITES, executorsMissed: 0, atOnce: true, ...more,
  };
}

function size(applications: number): Size {
  return { applications, pods: applications * 6, finished: 0 };
}

function figures(more: Partial<PopulationFigures> = {}): PopulationFigures {
  return {
    machine: { processor: 'Test', cores: 2, node: '24.0.0', load: 0.1 },
    quick: false,
    executors: 5,
    workers: 10,
    nodes: 78,
    idleMemory: 80 * MIB,
    lifecycle: [lifecycle(100), lifecycle(1000)],
    pace: {
      size: size(600), perSecond: { wanted: 20, actual: 19.9 }, toDriver: spread(40, 200, 300), sinceDue: spread(50, 220, 320), lag: LAG, probe: spread(2, 9, 20), load: load(),
    },
    fill: [{
      size: size(10_000), created: 10_000, after: { created: 60_000, submitted: 300_000, running: 310_000, whole: 400_000 },
      toDriver: spread(1, 2, 3), lag: LAG, load: load(), allCalls: 1,
    }],
    steady: [{
      size: size(10_000), span: 300_000, churn: { executors: 20, applications: 2 }, toDriver: spread(1, 2, 3), lag: LAG, executorLag: spread(4900, 5100, 5300),
      probe: spread(2, 9, 20), executorsUntold: 0, apiGarbage: { collections: 3, cpu: 1800 }, writesPerSecond: { status: 30, all: 60 }, load: load(),
    }],
    restart: [{
      size: size(10_000), listening: 300, filled: 6000, firstReconcile: 5000, caughtUp: 9000,
      missed: { drivers: 20, told: 7000 }, cached: 70_000, load: load(), settledMemory: 140 * MIB,
    }],
    failover: { size: size(10_000), leading: 14_000, caughtUp: 16_000, toDriver: 17_000, standbyMemory: 200 * MIB, leaseSeconds: 15 },
    drain: { size: size(10_000), after: { ended: 200_000, completed: 200_500 }, lag: LAG, load: load(), allCalls: 1 },
    again: lifecycle(1000),
    writes: WRITES,
    watchCuts: 0,
    complaints: [],
    seconds: { 'warm-up': 10, 'drain': 200 },
    ...more,
  };
}

test('goals that are met, and nothing to doubt', () => {
  const { goals, doubts } = judge(figures());
  expect(goals.map(({ name, measured, met }) => [name, measured, met])).toEqual([
    ['Creation to driver', '200 ms', true], ['Status lag of drivers', '900 ms', true], ['Status lag of executors', '5.10 s', true], ['Status writes', '4.00', true],
    ['Other writes', '1.00 · 0.00 (created: 5.00; deleted after its end: 1.00)', true], ['Memory', '150 MiB (150 MiB, 140 MiB)', true], ['Restart', '9.00 s', true],
    ['Finished applications', '1.00 times (1.00: 9.00 ms to 9.00 ms; kube-apiserver at the same time: 1.00)', true],
  ]);
  expect(doubts).toEqual([]);
  const text = render(figures());
  expect(text).not.toMatch(/NOT MET|doubtful|undefined|NaN/);
  expect(text).toMatch(/^Steady memory with 10,000 applications and 60,000 pods, the higher value around a restart +150 MiB \(150 MiB, 140 MiB\) +< 250 MiB: met$/m);
  expect(text).toMatch(/^calls for each +8.00 +PUT sparkapplications\/status 4.00, POST events 3.00, POST pods 1.00$/m);
});

const [steady] = figures().steady;
const [again] = figures().restart;

test.each<[string, Partial<PopulationFigures>]>([
  ['Creation to driver', { pace: { ...figures().pace, toDriver: spread(1, 251, 300) } }],
  ['Status lag of drivers', { steady: [{ ...steady!, lag: { ...LAG, all: spread(1, 1001, 1100) } }] }],
  ['Status lag of executors', { steady: [{ ...steady!, executorLag: spread(1, 6001, 6100) }] }],
  ['Status lag of executors', { steady: [{ ...steady!, executorLag: spread(NaN, NaN, NaN) }] }],
  ['Status writes', { writes: { ...WRITES, status: 4.1 } }],
  ['Other writes', { writes: { ...WRITES, handOver: 2 } }],
  ['Other writes', { writes: { ...WRITES, others: 1 } }],
  ['Memory', { steady: [{ ...steady!, load: load({ memory: { peak: 300 * MIB, median: 260 * MIB } }) }] }],
  ['Memory', { restart: [{ ...again!, settledMemory: 260 * MIB }] }],
  ['Restart', { restart: [{ ...again!, caughtUp: 15_100 }] }],
  ['Restart', { restart: [{ ...again!, caughtUp: null as unknown as number }] }],
])('a goal that is missed: %s', (name, more) => {
  const verdict = judge(figures(more));
  expect(verdict.goals.filter(({ met }) => !met).map((goal) => goal.name)).toEqual([name]);
  expect(render(figures(more)).match(/NOT MET/g)).toHaveLength(1);
  expect([exitCode(verdict, { check: true }), exitCode(verdict, { check: false })]).toEqual([1, 0]);
});

test.each<[string, Partial<PopulationFigures>, RegExp]>([
  ['load before the start', { machine: { ...figures().machine, load: 1.4 } }, /load average was 1.40/],
  ['load meanwhile', { again: lifecycle(1000, { load: load({ otherLoad: 0.4 }) }) }, /0.40 processors busy \(again\)/],
  ['a machine that others take from', { drain: { ...figures().drain, load: load({ stolen: 0.2 }) } }, /did not give the machine 0.20 of its processors \(drain\)/],
  ['a benchmark that is late', { drain: { ...figures().drain, load: load({ lateness: 250 }) } }, /late by 250 ms.*\(drain\)/],
  ['a benchmark that reads too slowly', { watchCuts: 2 }, /cut off a watch of the benchmark 2 times/],
  ['executors that the operator missed', { lifecycle: [lifecycle(100, { executorsMissed: 3 })] }, /^3 executors are not in the status.*lifecycle of 100/],
  ['executors whose loss nobody was told', { steady: [{ ...steady!, executorsUntold: 2 }] }, /^what had happened to 2 executors was in no status.*steady at 10000/],
  ['complaints', { complaints: ['{"msg":"too many events"}'] }, /complained 1 times.*too many events/],
])('makes the figures doubtful, but the goals not missed: %s', (_, more, reason) => {
  const verdict = judge(figures(more));
  expect(verdict.doubts).toEqual([expect.stringMatching(reason)]);
  expect(render(figures(more))).toContain(verdict.doubts[0]);
  expect(exitCode(verdict, { check: true })).toBe(0);
});

test('the command line', () => {
  expect(parseOptions([])).toEqual({
    quick: false, applications: 10_000, executors: 5, steadySeconds: 300, workers: 10,
    deadline: 4500, profile: false, json: undefined, check: false, install: true,
  });
  expect(parseOptions(['--quick', '--executors=2'])).toMatchObject({ quick: true, applications: 200, executors: 2, steadySeconds: 10 });
  expect(parseOptions(['--help'])).toBe('help');
});

test.each([['--applications', '0'], ['--executors', '-1'], ['--workers', '65'], ['--chekc']])('%s %s is refused', (...args) => {
  expect(() => parseOptions(args)).toThrow();
});

test('what is measured grows, and the greatest is the one that is asked for', () => {
  expect(planOf(10_000, 300, { quick: false })).toMatchObject({
    lifecycle: [100, 300, 1000], again: 300, population: [{ applications: 1000, steadySeconds: 15 }, { applications: 10_000, steadySeconds: 300 }], most: 10_000,
  });
  expect(planOf(50, 20, { quick: true })).toMatchObject({ lifecycle: [20, 100], population: [{ applications: 50 }], most: 100 });
  expect(profileOf('/a/b.cpuprofile', 'steady')).toBe('/a/b-steady.cpuprofile');
});
