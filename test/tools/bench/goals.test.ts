import type { Figures, FiguresFile, Measured, Scenario } from '../../../tools/bench/figures.ts';
import { goalsOf } from '../../../tools/bench/goals.ts';
import { tableOf, withTable } from '../../../tools/bench/page.ts';

const spread = (p99: number) => ({ p50: p99 / 2, p99, max: 2 * p99 });
const MIB = 1024 * 1024;

/** Figures that meet all goals. */
const FIGURES: Figures = {
  submission: {
    rate: { operator: 4500, bareClient: 5000, sparkSubmit: 19 }, cpu: { operator: 3, bareClient: 2, sparkSubmit: 9000 },
    created: { rate: 4000, cpu: 4 }, calls: { 'POST pods': 1, 'POST events': 1, 'PUT sparkapplications/status': 1 }, sparkVersion: '4.1.1',
  },
  paces: [{ perSecond: 20, toDriver: spread(90), busy: {} }, { perSecond: 40, toDriver: spread(200), busy: {} }],
  population: {
    applications: 10_000, pods: 62_700, executors: 5,
    lifecycle: {
      applications: 300, rate: 500, cpu: 20,
      calls: {
        'PUT sparkapplications/status': 5, 'POST pods': 1, 'POST services': 1, 'POST events': 6, 'PATCH events': 1, 'DELETE services': 1,
        'GET pods': 2,
      },
    },
    fill: [{ applications: 1_000, rate: 900, cpu: 20, received: 100_000 }, { applications: 10_000, rate: 800, cpu: 21, received: 110_000 }],
    steady: { lag: spread(900), executorLag: spread(5500), toDriver: spread(300), memory: 240 * MIB },
    restart: { caughtUp: 14_000, cpu: 9_000, received: 3e8, memory: 200 * MIB },
    busy: {},
  },
  finished: { applications: 300, finished: 12_000, alone: { cpu: 20, memory: 100 * MIB }, beside: { cpu: 21, memory: 160 * MIB } },
  neighbours: {
    flood: { applications: 10_000, huge: 150, hugeBytes: 1_360_000, createdAfter: 53_000, doneAfter: 378_000 },
    alone: spread(76), beside: spread(800), peakMemory: 300 * MIB, busy: {},
  },
  scheduled: { schedules: 2000, lag: { p50: 4000, p99: 8000, max: 9000 } },
  webhook: { rate: 500, seconds: 30, latency: spread(40), failures: {}, cpu: 1.5, bareCpu: 0.3, besideP99: 10, memory: 100 * MIB },
  synth: [10, 1000].map((applications) => ({ applications, whole: applications, memory: MIB, bytes: MIB })),
};

/** A file of figures as JSON has it. */
function fileOf(figures: Partial<Figures>): FiguresFile {
  const measured = (one: Figures[Scenario]): Measured => (
    { day: '2026-03-01', seconds: 1, commit: 'abc', processor: 'P', cores: 2, load: 0, doubts: [], figures: one }
  );
  const scenarios = Object.fromEntries(Object.entries(figures).map(([name, one]) => [name, measured(one)]));
  return JSON.parse(JSON.stringify({ versions: { node: '24', kubernetes: 'v1', spark: '4' }, scenarios }));
}

/** Returns the figures with another value in one place; `~1` in a path is a slash in a key. */
function withChange(path: string, value: unknown): Figures {
  const figures = structuredClone(FIGURES) as any;
  const keys = path.split('/').map((key) => key.replace('~1', '/'));
  const last = keys.pop()!;
  keys.reduce((object, key) => object[key], figures)[last] = value;
  return figures;
}

const missed = (figures: Figures) => goalsOf(fileOf(figures)).filter(({ met }) => !met).map(({ name }) => name);

test('all goals are met by figures within all limits, in the order of the scenarios', () => {
  const goals = goalsOf(fileOf(FIGURES));
  expect(goals.filter(({ met }) => !met)).toEqual([]);
  expect(goals.map(({ name }) => name)).toEqual([
    'Submission rate', 'Bare client', 'spark-submit', 'Calls of a submission', 'CPU time of a submission', 'CPU time of the calls',
    'Creation to driver at 20 a second', 'Creation to driver at 40 a second', 'Status lag of drivers', 'Status lag of executors',
    'Status writes', 'Other writes', 'Memory', 'Restart', 'Reading with size', 'Finished applications', 'Neighbours', 'Memory of a flood',
    'Schedules', 'Webhook', 'Synthesizing',
  ]);
});

// null: a figure that was not measured, as JSON has NaN.
test.each([
  ['Submission rate', 'submission/rate/operator', [3999.9]],
  ['Bare client', 'submission/rate/bareClient', [7501, null]],
  ['spark-submit', 'submission/rate/sparkSubmit', [22.6, null]],
  ['Calls of a submission', 'submission/calls/POST events', [3.1, null]],
  ['CPU time of a submission', 'submission/created/cpu', [5, null]],
  ['CPU time of the calls', 'submission/cpu/operator', [3.3, null]],
  ['Creation to driver at 20 a second', 'paces/0/toDriver/p99', [100, null]],
  ['Creation to driver at 40 a second', 'paces/1/toDriver/p99', [250, null]],
  ['Status lag of drivers', 'population/steady/lag/p99', [1000, null]],
  ['Status lag of executors', 'population/steady/executorLag/p99', [6000, null]],
  ['Status writes', 'population/lifecycle/calls/PUT sparkapplications~1status', [5.01, null]],
  ['Other writes', 'population/lifecycle/calls/PATCH pods', [0.01]],
  ['Memory', 'population/steady/memory', [250 * MIB, null]],
  ['Memory', 'population/restart/memory', [250 * MIB, null]],
  ['Restart', 'population/restart/caughtUp', [15_000, null]],
  ['Reading with size', 'population/fill/1/received', [121_000, null]],
  ['Finished applications', 'finished/beside/cpu', [22.2, null]],
  ['Neighbours', 'neighbours/beside/p99', [1000, null]],
  ['Memory of a flood', 'neighbours/peakMemory', [512 * MIB, null]],
  ['Schedules', 'scheduled/lag/max', [10_001, null]],
  ['Webhook', 'webhook/latency/p99', [50, null]],
  ['Webhook', 'webhook/failures', [{ 'no answer in 10 s': 1 }]],
  ['Webhook', 'webhook/rate', [400]],
  ['Synthesizing', 'synth/1/whole', [5000, null]],
])('%s is missed by %s', (name, path, values) => {
  for (const value of values) {
    const figures = withChange(path, value);
    expect([value, missed(figures)]).toEqual([value, expect.arrayContaining([name])]);
    if (value !== null) expect(missed(figures)).toEqual([name]);
  }
});

test('a scenario that was not measured has no goals', () => {
  expect(goalsOf(fileOf({ synth: FIGURES.synth })).map(({ name }) => name)).toEqual(['Synthesizing']);
  expect(goalsOf(fileOf({}))).toEqual([]);
});

test('the first status write of an attempt counts as its claim, and events do not count', () => {
  const [status, other] = goalsOf(fileOf(FIGURES)).filter(({ name }) => / writes$/.test(name));
  expect([status!.measured, other!.measured]).toEqual(['4.00', '1.00 · 0.00 (created: 2.00; deleted: 1.00)']);
});

test('the table links a missed goal to the heading of its name, and shows missing figures as a dash', () => {
  const lines = tableOf(goalsOf(fileOf(withChange('submission/created/cpu', null))));
  expect(lines[2]).toBe('| Submissions a minute | at least 4,000 | 4,500 | met |');
  expect(lines[3]).toBe('| Submissions a minute, as a share of those of a bare client | at least 60 % | 90 % (4,500 of 5,000) | met |');
  expect(lines[4]).toContain('| 237 times (4,500 to 19.0) | met |');
  const what = 'CPU time of the operator for one submission, while applications are created';
  expect(lines[6]).toBe(`| ${what} | < 5 ms | – | **NOT MET**: [why](#cpu-time-of-a-submission) |`);
});

test('figures from a slow hour are marked in the table, and below it with the reason', () => {
  const file = fileOf({ submission: FIGURES.submission, synth: FIGURES.synth });
  const machine = { loops: 100, share: 1, stolen: 0 };
  const scenarios = { synth: { ...file.scenarios.synth!, machine }, submission: { ...file.scenarios.submission!, machine: { ...machine, loops: 70 } } };
  const page = withTable('<!-- bench:begin -->\n<!-- bench:end -->', { ...file, fastest: { P: 100 }, scenarios })!;

  expect(page).toContain('| Submissions a minute | at least 4,000 | 4,500 | met, slow hour |');
  expect(page).toMatch(/\| Synthesizing .* \| met \|\n/);
  expect(page).toContain('\n- slow hour of submission: loop at 70 % of its best speed\n');
});
