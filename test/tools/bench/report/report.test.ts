import { faults, texts } from './markup';
import { figures, lifecycle, load, NEIGHBOURS, POPULATION, SUBMISSION } from './sample';
import type { BenchFigures } from '../../../../tools/bench/report/figures.ts';
import { goalsOf } from '../../../../tools/bench/report/goals.ts';
import { plain } from '../../../../tools/bench/report/markdown.ts';
import { plotsOf } from '../../../../tools/bench/report/plots.ts';
import { mergeProfiles, profilesOf, type BenchProfiles } from '../../../../tools/bench/report/profiles.ts';
import { anchorOf, outdated, unexplained } from '../../../../tools/bench/report/remarks.ts';
import { renderReport } from '../../../../tools/bench/report/report.ts';

const fromFile = (measured: BenchFigures): BenchFigures => JSON.parse(JSON.stringify(measured));
const section = (text: string, title: string) => text.split(/^(?=##+ )/m).find((part) => part.startsWith(`## ${title}`) || part.startsWith(`### ${title}`)) ?? '';

test('goals have names of their own, by which remarks can say why they were missed', () => {
  const names = goalsOf(figures()).map(({ name }) => name);
  expect(new Set(names.map(anchorOf)).size).toBe(names.length);
});

test('a whole run: each goal with what was measured', () => {
  expect(goalsOf(figures()).map(({ measured, met }) => [measured, met])).toEqual([
    ['75 % (10,800 of 14,400)', true], ['450 times (10,800 to 24.0)', true], ['2.50 ms', true],
    ['120 ms', true], ['400 ms', true], ['5.20 s', true], ['3.98', true], ['1.00 · 0.00 (created: 3.00; deleted after its end: 1.00)', true], ['230 MiB (220 MiB, 230 MiB)', true], ['9.00 s', true],
    ['1.00 times (1.00: 9.00 ms to 9.00 ms; etcd at the same time: 1.00)', true], ['1.00 times (97.7 KiB to 97.7 KiB)', true], ['1.00 times (1.00: 9.00 ms to 9.00 ms; etcd at the same time: 1.00)', true], ['750 ms (40.0 ms before)', true], ['400 MiB', true], ['2.40 s', true],
  ]);
});

const [steady] = POPULATION.steady;
const [restart] = POPULATION.restart;
const [small, great] = POPULATION.fill;
const population = (changes: Partial<typeof POPULATION>) => figures({ population: { ...POPULATION, ...changes } });
const spread = (p99: number) => ({ p50: 1, p99, max: p99 });

test.each<[string, BenchFigures, RegExp]>([
  ["the bare client's rate", figures({ submission: { ...SUBMISSION, cluster: { ...SUBMISSION.cluster, bare: { ...SUBMISSION.cluster.bare, perSecond: 400 } } } }), /bare client/],
  ["spark-submit's rate", figures({ submission: { ...SUBMISSION, cluster: { ...SUBMISSION.cluster, jvm: { ...SUBMISSION.cluster.jvm!, perSecond: 2 } } } }), /spark-submit/],
  ['creation to driver', population({ pace: { ...POPULATION.pace, toDriver: spread(250) } }), /^Creation to driver Pod at 20 applications/],
  ['creation to driver, of fewer than wanted', population({ pace: { ...POPULATION.pace, perSecond: { wanted: 20, actual: 12 } } }), /^Creation to driver/],
  ['status lag of drivers', population({ steady: [{ ...steady!, lag: { ...steady!.lag, all: spread(1000) } }] }), /^Status lag of drivers with 10,000/],
  ['status lag of executors', population({ steady: [{ ...steady!, executorLag: spread(6100) }] }), /^Status lag of executors/],
  ['status lag of executors that nobody saw', population({ steady: [{ ...steady!, executorLag: spread(NaN) }] }), /^Status lag of executors/],
  ['status lag that nobody saw', population({ steady: [{ ...steady!, lag: { ...steady!.lag, all: spread(NaN) } }] }), /^Status lag/],
  ['memory after a restart', population({ restart: [{ ...restart!, settledMemory: 251 * 2 ** 20 }] }), /^Steady memory/],
  ['CPU time that grows with the number', population({ fill: [small!, { ...great!, load: load(9000, { cpu: { user: 9000 * 9 * 1.3, system: 0 } }) }] }), /^CPU time for an application until its executors run, when 10,000 come to run/],
  ['reading that grows with the number', population({ fill: [small!, { ...great!, load: load(9000, { received: { 'watch pods': 9000 * 130_000 } }) }] }), /^What is read for an application until/],
  ['memory', population({ steady: [{ ...steady!, load: load(1, { memory: { peak: 300 * 2 ** 20, median: 251 * 2 ** 20 } }) }] }), /^Steady memory/],
  ['status writes, of any size', population({ lifecycle: [lifecycle(100, 50, { writes: { ...POPULATION.writes, status: 4.01 } }), lifecycle(1000, 150)] }), /^Status writes/],
  ['more than one write to hand over', population({ writes: { ...POPULATION.writes, handOver: 1.1 } }), /^Other writes/],
  ['writes that nobody expects', population({ writes: { ...POPULATION.writes, others: 0.1 } }), /^Other writes/],
  ['restart', population({ restart: [{ ...restart!, caughtUp: 15_000 }] }), /^Restart to caught up/],
  ['a neighbour that waits', figures({ neighbours: { ...NEIGHBOURS, whole: { ...NEIGHBOURS.whole, toDriver: spread(1000) } } }), /^Creation to driver Pod beside a namespace that creates 10,000 applications, 150 of up to 1.30 MiB/],
  ['memory of a flood', figures({ neighbours: { ...NEIGHBOURS, load: load(1, { memory: { peak: 512 * 2 ** 20, median: 1 } }) } }), /^Peak memory beside a namespace/],
  ['finished applications that cost', population({ again: lifecycle(1000, 12_000, { load: load(1000, { cpu: { user: 1000 * 9 * 1.3, system: 0 } }) }) }), /beside 12,000 finished ones/],
])('a goal that is missed, and no other: %s', (_, measured, what) => {
  for (const same of [measured, fromFile(measured)]) {
    expect(goalsOf(same).filter(({ met }) => !met)).toEqual([expect.objectContaining({ what: expect.stringMatching(what) })]);
    expect(renderReport(same).text.match(/NOT MET/g)).toHaveLength(1);
  }
});

test('the same figures make the same bytes, also when they come out of the file', () => {
  const report = renderReport(figures());
  expect(renderReport(figures())).toEqual(report);
  expect(renderReport(fromFile(figures()))).toEqual(report);
});

test('nothing that is no figure, and no plot without a place', () => {
  const { text, plots } = renderReport(fromFile(figures()));
  expect(text).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
  expect([...text.matchAll(/\]\(plots\/([\w-]+)\.svg\)/g)].map(([, name]) => name).sort()).toEqual(plots.map(({ name }) => name).sort());
  // All rows of a table have as many cells.
  for (const table of text.split('\n\n').filter((part) => part.startsWith('|'))) expect(new Set(table.trim().split('\n').map((line) => line.split('|').length)).size).toBe(1);
});

test('plots are small files that any reader of XML takes', () => {
  const plots = plotsOf(fromFile(figures()));
  expect(plots.map(({ name }) => name).sort()).toEqual([
    'calls-by-size', 'cpu-by-size', 'creation-to-driver', 'event-loop', 'load', 'memory-by-size', 'rate-by-size', 'read-by-size', 'restart', 'status-lag', 'steady-lag', 'steady-memory', 'steady-writes', 'submission-cpu',
    'submission-rate', 'synth',
  ]);
  for (const { svg } of plots) {
    expect(faults(svg)).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined|null/);
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(Buffer.byteLength(svg)).toBeLessThan(30 * 1024);
  }
  const of = (name: string) => texts(plots.find((plot) => plot.name === name)!.svg);
  expect(of('submission-rate')).toEqual(expect.arrayContaining(['bare client', '14,400', 'operator', '10,800', 'spark-submit', '24.0']));
  expect(of('restart')).toEqual(expect.arrayContaining(['10,000 applications, 60,000 pods', '5.00 s', '9.00 s']));
  expect(of('load')).toEqual(expect.arrayContaining(['steady, 10,000', 'kube-apiserver', '0.90', '1.61']));
});

test('growth: the cost of one application by size, and beside finished ones', () => {
  const text = section(renderReport(figures()).text, 'Growth');
  expect(text).toContain('end at once, without a time of grace, and so do those of the lifecycle of 1,000, with which it is compared. In the lifecycle of 100 they have one');
  expect(text).toContain('| for one application | 100 | 1,000 | 10,000 (the population) | 1,000 beside 12,000 finished |');
  // Created: 9 ms, ended: 0.55 ms.
  expect(text).toContain('| CPU time of the operator | 9.00 ms | 9.00 ms | 9.55 ms | 9.00 ms |');
  // In 280 and 80 seconds.
  expect(text).toContain('| COMPLETED a minute | 1,500 | 1,500 | 1,667 | 1,500 |');
  expect(text).toContain('|   of it by watches | 87.9 KiB | 87.9 KiB | 97.7 KiB | 87.9 KiB |');
});

test('neighbours: the quiet namespace before, during and after the creation of the flood', () => {
  const text = section(renderReport(figures()).text, 'Neighbours');
  expect(text).toContain('| before the flood | 60 | 20.0 ms · 40.0 ms · 50.0 ms | 5.00 ms · 10.0 ms · 12.0 ms |');
  expect(text).toContain('| while the flood is created | 200 | 300 ms · 800 ms · 900 ms |');
  expect(text).toContain('| huge applications | FAILED 75, SUBMITTED 75 |');
  expect(text).toContain("| operator's memory: median, peak | 300 MiB, 400 MiB |");
});

test('what limits: the programs, phase by phase, and where the machine is full', () => {
  const busy = population({ drain: { ...POPULATION.drain, load: load(10_000, { processors: [{ program: 'etcd', busy: 1.2, cpu: 1, memory: 1 }, { program: 'operator', busy: 0.6, cpu: 1, memory: 1 }] }) } });
  const text = section(renderReport(busy).text, 'What limits');
  expect(text).toContain('| drain of 10,000 | 1.81 of 2: full | 0.60 (33 %) | etcd 1.20, operator 0.60 |');
  expect(text).toContain('| steady, 10,000 | 1.61 of 2 |');
  expect(text).toContain('| kube-apiserver 2,861 MiB, etcd 477 MiB |');
});

test('a part that failed, and one that did not run: the others are there', () => {
  const { parts } = figures();
  const text = renderReport(figures({}, { parts: { submission: parts.submission }, failures: [{ part: 'population', reason: 'no kwok\n| <b>here</b>' }] })).text;
  expect(text).toContain('**The part `population` failed**, and its figures are missing: no kwok &#124; &#60;b&#62;here&#60;/b&#62;');
  expect(text).toContain('The part `synth` did not run.');
  expect(text).toContain('| 75 % (10,800 of 14,400) | met |');
  expect(text).not.toMatch(/^## (Lifecycle|Synth)/m);
});

test('a quick run says that it is one', () => {
  expect(renderReport(figures({}, { quick: true })).text).toMatch(/`npm run bench -- --quick`.*\n\n\*\*A quick run\*\*/);
  expect(renderReport(figures()).text).not.toContain('quick');
});

test('a goal that was missed is linked to the remark of its name, and one without a remark is named', () => {
  const missed = population({ pace: { ...POPULATION.pace, toDriver: spread(250) }, restart: [{ ...restart!, caughtUp: 15_000 }] });
  const remarks = '### Restart\n\nIt reads everything. Next: less of it.\n';
  const text = section(renderReport(missed, remarks).text, 'Goals');
  expect(text).toContain('| 15.0 s | **NOT MET**: [why](#restart) |');
  expect(text).toContain('| 250 ms | **NOT MET** |');
  expect(text).toContain('The remarks do not say why this was missed: Creation to driver.');
  expect(unexplained(goalsOf(missed), remarks)).toEqual(['Creation to driver']);
  for (const empty of ['### Restart\n\n### Other\n\nNext: this.\n', '### Restart\n\nIt reads everything.\n']) expect(unexplained(goalsOf(missed), empty)).toContain('Restart');
  expect(outdated(goalsOf(missed), `${remarks}\n### Memory\n`)).toEqual(['Memory']);
  expect(renderReport({ ...missed, quick: true }, remarks).text).not.toContain('do not say why');
});

test('remarks of people, after the goals', () => {
  expect(renderReport(figures(), 'The rest goes to **etcd**.\n').text).toMatch(/\| met \|\n\n## Remarks\n\nThe rest goes to \*\*etcd\*\*\.\n\n## Machine/);
  expect(renderReport(figures()).text).not.toContain('Remarks');
});

test.each<[string, BenchFigures, RegExp]>([
  ['load before the start', population({ machine: { ...POPULATION.machine, load: 1.4 } }), /population: the load average was 1\.40/],
  ['load meanwhile', population({ drain: { ...POPULATION.drain, load: load(1, { otherLoad: 0.4 }) } }), /0\.40 processors busy \(drain\)/],
  ['a benchmark that is late', population({ pace: { ...POPULATION.pace, load: load(1, { lateness: 250 }) } }), /late by 250 ms at the 99th percentile \(pace\)/],
  ['a watch that was cut off', population({ watchCuts: 2 }), /cut off a watch of the benchmark 2 times/],
  ['executors that were missed', population({ again: lifecycle(1000, 12_000, { executorsMissed: 3 }) }), /3 executors are not in the status/],
  ['a watch beside a flood that was cut off', figures({ neighbours: { ...NEIGHBOURS, watchCuts: 1 } }), /neighbours: the API server cut off the watch/],
  ['complaints', population({ complaints: ['{"msg":"too *many* events"}'] }), /complained 1 times, first: &#123;"msg":"too &#42;many&#42; events"&#125;/],
])('doubts: %s', (_, doubtful, reason) => {
  const told = section(renderReport(doubtful).text, 'Doubts');
  expect(told.match(/^- /gm)).toHaveLength(1);
  expect(told).toMatch(reason);
});

test('an operator that is quicker than the bare client: that is not the limit', () => {
  const { cluster } = SUBMISSION;
  const quick = renderReport(figures({ submission: { ...SUBMISSION, cluster: { ...cluster, operator: { ...cluster.operator, perSecond: 288 } } } })).text;
  expect(section(quick, 'Doubts')).toMatch(/^- submission: the operator was quicker than the bare client, at 120 % of its rate/m);
  expect(section(quick, 'Submission')).not.toContain('what this API server allows');
  const text = section(renderReport(figures()).text, 'Submission');
  expect(text).toContain('it is what this API server allows here');
  expect(text).toContain("16 turns each, in which the operator submitted 5,760 and the bare client 7,680. Round by round the operator's rate was 63 % to 90 % of the bare client's, 75 % in the middle");
  // 4,100 ms, to 2.4 ms in the turns that the rest of the table is of.
  expect(text).toContain('| 1/450 of its rate, 1,708 times its CPU time |');
});

test('nothing to doubt', () => {
  expect(section(renderReport(figures()).text, 'Doubts')).toContain('Nothing that the benchmark checks');
});

test('a profile says where the time goes', () => {
  const profile = { modules: [{ name: 'src/operator/plan_a.ts', share: 0.31 }], functions: [{ name: 'plan · <x>', share: 0.2 }], file: 'a.cpuprofile' };
  const text = renderReport(population({ profiles: { steady: profile } })).text;
  expect(text).toContain('| src/operator/plan&#95;a.ts | 31 % | plan · &#60;x&#62; | 20 % |');
  expect(text.match(/<details>/g)).toHaveLength(1);
});

test('where the time goes, of a run of its own, beside figures without a profiler', () => {
  const profile = { modules: Array.from({ length: 25 }, (_, index) => ({ name: `src/${index}.ts`, share: 0.04 })), functions: [{ name: 'plan', share: 0.2 }], file: 'a.cpuprofile' };
  const measured = figures({ population: { ...POPULATION, profiles: { steady: profile } } }, { quick: true, profiled: true });
  expect(renderReport(measured).text).toMatch(/`npm run bench -- --quick --profile`.*- the operator ran under a profiler/s);
  const profiles = profilesOf(measured)!;
  expect(profiles).toMatchObject({ day: '2026-03-01', quick: true, version: '0123456789ab', phases: [{ phase: 'steady state', profile: { functions: [{ name: 'plan', share: 0.2 }] } }] });
  expect(JSON.stringify(profiles).length).toBeLessThan(2000);

  const text = section(renderReport(figures(), '', profiles).text, 'Where the time goes');
  expect(text).toMatch(/on 2026-03-01, under a profiler and with small sizes.*It was the same version of the operator\..*src\/11\.ts \| 4 %/s);
  expect(section(renderReport(figures(), '', { ...profiles, version: 'other' }).text, 'Where the time goes')).toContain('**It was another version** (`other`)');
  expect(profilesOf(figures())).toBeUndefined();
});

test('profiles of phases that did not run again are kept, if they are of the same version', () => {
  const of = (phase: string, share: number) => ({ phase, profile: { modules: [], functions: [{ name: 'plan', share }] } });
  const before: BenchProfiles = { day: '2026-03-01', quick: true, version: 'a', phases: [of('lifecycle', 0.1), of('restart', 0.1)] };
  const after: BenchProfiles = { ...before, day: '2026-03-02', phases: [of('restart', 0.2)] };
  expect(mergeProfiles(before, after)).toEqual({ ...after, phases: [of('lifecycle', 0.1), of('restart', 0.2)] });
  for (const other of [undefined, { ...before, version: 'b' }, { ...before, quick: false }]) expect(mergeProfiles(other, after)).toBe(after);
});

test('text of others is shown as it is', () => {
  expect(plain('  a | `b`\n<i> [c](d) ')).toBe('a &#124; &#96;b&#96; &#60;i&#62; &#91;c&#93;(d)');
});
