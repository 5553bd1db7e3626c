import { load, NEIGHBOURS } from './report/sample';
import { MAX_SPEC_BYTES } from '../../../src/rules/size';
import { hugeApplication } from '../../../tools/bench/neighbours/huge.ts';
import { parseOptions } from '../../../tools/bench/neighbours/options.ts';
import { exitCode, judge, render } from '../../../tools/bench/neighbours/report.ts';
import { Tenant } from '../../../tools/bench/neighbours/tenant.ts';

const MIB = 2 ** 20;

test('goals that are met, and nothing to doubt', () => {
  const { goals, doubts } = judge(NEIGHBOURS);
  expect([goals.map(({ met }) => met), doubts]).toEqual([[true, true], []]);
  const text = render(NEIGHBOURS);
  expect(text).not.toMatch(/NOT MET|doubtful|undefined|NaN/);
  expect(text).toMatch(/^Creation to driver Pod beside .* 750 ms \(40\.0 ms before\) +< 1 s: met$/m);
  expect(text).toMatch(/^huge applications of up to 1\.30 MiB +150 stored: FAILED 75, SUBMITTED 75$/m);
});

test.each([
  ['the quiet namespace waits', { whole: { ...NEIGHBOURS.whole, toDriver: { p50: 1, p99: 1000, max: 1000 } } }],
  ['no driver of the quiet namespace was seen', { whole: { ...NEIGHBOURS.whole, toDriver: { p50: NaN, p99: NaN, max: NaN } } }],
  ['the operator needs too much memory', { load: load(1, { memory: { peak: 512 * MIB, median: MIB } }) }],
])('a missed goal makes a run with --check fail: %s', (_, changes) => {
  const verdict = judge({ ...NEIGHBOURS, ...changes });
  expect(verdict.goals.filter(({ met }) => !met)).toHaveLength(1);
  expect([exitCode(verdict, { check: true }), exitCode(verdict, { check: false })]).toEqual([1, 0]);
});

test('doubts', () => {
  const machine = { ...NEIGHBOURS.machine, load: 3 };
  expect(judge({ ...NEIGHBOURS, machine, load: load(1, { otherLoad: 0.9, lateness: 500 }), watchCuts: 1, complaints: ['slow'] }).doubts).toHaveLength(5);
});

test('a tenant knows how long each of its applications took', async () => {
  const tenant = new Tenant({ json: async () => ({}) } as never, 'team');
  const [early, late] = [performance.now() - 1000, performance.now()];
  await tenant.create('a', early);
  await tenant.create('b', late);
  tenant.seeDriver('a', performance.now() + 50);
  tenant.seeDriver('a', performance.now() + 90_000);
  tenant.seeDriver('of another', performance.now());
  expect([tenant.created, tenant.withDriver]).toEqual([2, 1]);
  const figures = tenant.between(early, late);
  expect(figures.created).toBe(1);
  expect(figures.toDriver.max).toBeGreaterThan(40);
  expect(figures.toDriver.max).toBeLessThan(60_000);
  expect(figures.toAnswer.max).toBeGreaterThanOrEqual(1000);
  expect(tenant.between(late, Infinity).toDriver.p99).toBeNaN();
});

test('a huge application is nearly as large as etcd stores one, or as the operator runs one', () => {
  const [bytes, run] = (['rejected', 'run'] as const).map((outcome) => Buffer.byteLength(JSON.stringify(hugeApplication('team', 'a', outcome)))) as [number, number];
  expect(run).toBeGreaterThan(0.75 * MAX_SPEC_BYTES);
  expect(run).toBeLessThan(MAX_SPEC_BYTES);
  expect(bytes).toBeGreaterThan(1.25 * MIB);
  expect(bytes).toBeLessThan(1.4 * MIB);
});

test('flags', () => {
  expect(parseOptions([])).toEqual({ applications: 10_000, huge: 150, aloneSeconds: 30, workers: 10, json: undefined, check: false, install: true });
  expect(parseOptions(['--quick'])).toMatchObject({ applications: 1000, huge: 15, aloneSeconds: 10 });
  expect(parseOptions(['--quick', '--applications=100', '--huge=0', '--check'])).toMatchObject({ applications: 100, huge: 0, check: true });
  expect(() => parseOptions(['--applications=100', '--huge=100'])).toThrow('--huge=100 is not a whole number from 0 to 99');
});
