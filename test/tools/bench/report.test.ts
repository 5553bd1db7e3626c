import { parseCalls } from '../../../tools/bench/api-counts.ts';
import { countGarbage, parseGarbage } from '../../../tools/bench/api-garbage.ts';
import type { CallFigures, Figures } from '../../../tools/bench/measurements.ts';
import { summarize } from '../../../tools/bench/profile.ts';
import { exitCode, judge, render } from '../../../tools/bench/report.ts';
import { figuresOf, roundsOf } from '../../../tools/bench/turn-figures.ts';

const calls = (call: string, [operator, bare]: [number, number], [byOperator, byBare]: [number, number]): CallFigures => (
  { call, operator, bare, server: { operator: byOperator, bare: byBare } }
);
const live = (user: number) => ({ cpu: { user, system: 0 }, perSecond: 50, toDriver: { p50: 900, p99: 2000, max: 2100 } });
const turn = (perSecond: number, cpu: number, turns = 15) => ({ perSecond, cpu, applications: 1000, turns: Array.from({ length: turns }, () => perSecond) });

function figures(cluster: Partial<Figures['cluster']> = {}, load = 0.1): Figures {
  return {
    machine: { processor: 'Test', cores: 2, node: '24.0.0', load },
    applications: 1000,
    workers: 10,
    cluster: {
      live: { cpu: { user: 2.2, system: 0.3 }, perSecond: 50, toDriver: { p50: 900, p99: 2000, max: 2100 } },
      single: { cpu: { user: 3, system: 0.5 }, toDriver: { p50: 20, p99: 40, max: 41 } },
      operator: turn(60, 2.4),
      bare: turn(80, 1.2),
      calls: [calls('POST pods', [1, 1], [1, 1]), calls('POST events', [1, 1], [1.2, 1.3]), calls('POST endpoints', [0, 0], [1, 0.5])],
      otherLoad: { live: 0, turns: 0 },
      complaints: [],
      jvm: { sparkVersion: '4.1.1', parallel: 2, perSecond: 0.25, runs: [7000, 6000, 8000], wholes: [8000, 8000, 8000] },
      ...cluster,
    },
  };
}

test('goals that are met, and nothing to doubt', () => {
  expect(judge(figures())).toEqual({
    cpuMs: 2.5, cpuMet: true, share: 0.75, shareMet: true, rounds: { count: 15, least: 0.75, middle: 0.75, most: 0.75 }, isLimit: true, sameCalls: true,
    jvmMs: 7000, times: 240, timesMet: true, doubts: [],
  });
  const text = render(figures());
  expect(text).toContain('75 %, met');
  expect(text).toMatch(/^SparkSubmit 4\.1\.1, .*, 2 at the same time +15\.0 +>= 150 times as many: 240, met$/m);
  expect(text).toMatch(/^many at once, .* +900, 2000, 2100$/m);
});

test('goals that are not met', () => {
  const missed = figures({ live: live(3), operator: turn(30, 3) });
  expect(judge(missed)).toMatchObject({ cpuMet: false, share: 0.375, shareMet: false, times: 120, timesMet: false });
  expect(render(missed).match(/NOT MET/g)).toHaveLength(3);
});

test.each<[string, Figures, number]>([
  ['goals that are met', figures(), 0],
  ['too much CPU time', figures({ live: live(3) }), 1],
  ['too low a rate', figures({ operator: turn(40, 3) }), 1],
  ['too low a rate beside spark-submit', figures({ jvm: { ...figures().cluster.jvm!, perSecond: 0.5 } }), 1],
  ['spark-submit left out', figures({ jvm: undefined }), 0],
  ['doubts alone', figures({}, 1.4), 0],
])('exit code with --check, for %s', (_, measured, code) => {
  expect(exitCode(judge(measured), { check: true })).toBe(code);
  expect(exitCode(judge(measured), { check: false })).toBe(0);
});

test.each<[string, Figures, RegExp]>([
  ['load before the start', figures({}, 1.4), /load average was 1.40/],
  ['load meanwhile', figures({ otherLoad: { live: 0.1, turns: 0.4 } }), /0.40 processors busy in the pass "turns"/],
  ['different calls', figures({ calls: [calls('POST pods', [1, 0.5], [1, 0.5])] }), /the calls differ.*POST pods/],
  ['calls that the operator does not know of', figures({ calls: [calls('POST pods', [1, 1], [1.5, 1.5])] }), /the calls differ/],
  ['events that only the bare client wrote in its turns', figures({ calls: [calls('POST events', [1, 1], [0.7, 1])] }), /the calls differ.*POST events/],
  ['an operator that is quicker than what is said to be the limit', figures({ operator: turn(96, 2) }), /quicker than the bare client, at 120 % of its rate/],
  ['an operator that is quicker than that without turns', figures({ live: { ...figures().cluster.live, perSecond: 90 } }), /quicker \(5400 a minute\) than the bare client in its turns \(4800\)/],
  ['few turns', figures({ operator: turn(60, 2.4, 6), bare: turn(80, 1.2, 6) }), /in 6 turns of each instead of 15/],
  ['complaints', figures({ complaints: ['{"msg":"too many events"}'] }), /complained 1 times.*too many events/],
])('makes the figures doubtful: %s', (_, doubtful, reason) => {
  const { doubts } = judge(doubtful);
  expect(doubts).toEqual([expect.stringMatching(reason)]);
  expect(render(doubtful)).toContain(doubts[0]);
});

test('what may be under way when turns begin and end makes no other calls', () => {
  // 10 workers and 1,000 applications.
  expect(judge(figures({ calls: [calls('POST pods', [1, 1], [0.975, 1.025])] })).sameCalls).toBe(true);
});

test('what was done in turns, and how much the rounds differ', () => {
  const operator = figuresOf([{ done: 40, time: 2000, cpu: 400 }, { done: 20, time: 2000, cpu: 260 }], new Map([['POST pods', 60]]));
  expect(operator).toEqual({ perSecond: 15, cpu: 11, applications: 60, turns: [20, 10], calls: new Map([['POST pods', 1]]) });
  expect(roundsOf({ turns: [20, 10, 30] }, { turns: [40, 0, 30] })).toEqual({ count: 3, least: 0.5, middle: 0.75, most: 1 });
});

test("the API server's counter, summed up by verb and resource, without watches and what is no resource", () => {
  expect(Object.fromEntries(parseCalls([
    '# HELP apiserver_request_total Counter of apiserver requests',
    'apiserver_request_total{code="201",component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",verb="POST",version="v1"} 7',
    'apiserver_request_total{code="409",component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",verb="POST",version="v1"} 1',
    'apiserver_request_total{code="200",component="apiserver",dry_run="",group="g",resource="sparkapplications",scope="resource",subresource="status",verb="PUT",version="v1beta2"} 4',
    'apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="pods",scope="namespace",subresource="",verb="WATCH",version="v1"} 3',
    'apiserver_request_total{code="200",component="",dry_run="",group="",resource="",scope="",subresource="/readyz",verb="GET",version=""} 9',
  ].join('\n')))).toEqual({ 'POST pods': 8, 'PUT sparkapplications/status': 4 });
});

test("what the API server does for its own garbage, by Go's metrics", async () => {
  const metrics = (cycles: number, seconds: number) => [
    '# TYPE go_gc_cycles_total_gc_cycles_total counter', `go_gc_cycles_total_gc_cycles_total ${cycles}`, 'go_gc_cycles_automatic_gc_cycles_total 99', `go_cpu_classes_gc_total_cpu_seconds_total ${seconds}`,
  ].join('\n');
  const texts = [metrics(41, 96.5), metrics(44, 103.75)];
  const end = await countGarbage({ call: () => Promise.resolve({ status: 200, text: texts.shift()! }) });
  expect(await end()).toEqual({ collections: 3, cpu: 7250 });
  expect(() => parseGarbage('go_goroutines 7')).toThrow('the API server does not show go_gc_cycles_total_gc_cycles_total');
});

test('a profile, by the modules of the bundle', () => {
  const frame = (id: number, functionName: string, url: string, lineNumber: number) => ({ id, callFrame: { functionName, url, lineNumber } });
  const profile = {
    nodes: [frame(1, '(idle)', '', -1), frame(2, 'plan', 'file:///b.cjs', 1), frame(3, 'get', 'file:///b.cjs', 3), frame(4, '(garbage collector)', '', -1), frame(5, 'write', 'node:net', 10)],
    samples: [1, 2, 3, 3, 4, 5],
    timeDeltas: [1000, 30, 10, 10, 20, 30],
  };
  expect(summarize(profile, { path: '/b.cjs', text: '// src/operator/plan.ts\nfunction plan() {}\n// src/operator/get.ts\nfunction get() {}\n' })).toEqual({
    modules: [{ name: 'src/operator/plan.ts', share: 0.3 }, { name: 'node:net', share: 0.3 }, { name: 'src/operator/get.ts', share: 0.2 }, { name: '(garbage collector)', share: 0.2 }],
    functions: [{ name: 'plan · src/operator/plan.ts', share: 0.3 }, { name: 'write · node:net', share: 0.3 }, { name: 'get · src/operator/get.ts', share: 0.2 }, { name: '(garbage collector)', share: 0.2 }],
  });
});
