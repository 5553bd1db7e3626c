import { parseReview } from '../../../src/operator/admission/parse';
import { evenly } from '../../../tools/bench/admission/load.ts';
import { quantile, type Figures } from '../../../tools/bench/admission/measurements.ts';
import { parseOptions } from '../../../tools/bench/admission/options.ts';
import { exitCode, judge, render } from '../../../tools/bench/admission/report.ts';
import { reviewKinds, UID } from '../../../tools/bench/admission/reviews.ts';

const FIGURES: Figures = {
  machine: { processor: 'A processor', cores: 4, node: '24.0.0', load: 0.1 }, seconds: 30, rate: 500,
  load: { sent: 200, latencies: Array.from({ length: 200 }, (_, index) => index / 10), failures: {}, senderLateness: 1 },
  bare: { sent: 100, latencies: Array.from({ length: 100 }, (_, index) => index / 20), failures: {}, senderLateness: 1, cpu: { user: 40, system: 10 } },
  beside: { sent: 100, latencies: Array.from({ length: 100 }, (_, index) => index / 50), failures: {}, senderLateness: 1 },
  cpu: { user: 150, system: 50 }, memory: 100 * 1024 * 1024, mixture: [{ name: 'executor', share: 1, bytes: 2048 }],
};

test('the mixture is what it says it is, and each stretch of it is like the whole', () => {
  const kinds = reviewKinds();
  expect(kinds.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  const order = evenly(kinds);
  for (const [begin, end] of [[0, 100], [700, 800]]) {
    const executors = Array.from({ length: end! - begin! }, (_, index) => order(begin! + index)).filter(({ name }) => name === 'executor').length;
    expect(Math.abs(executors - 20)).toBeLessThanOrEqual(2);
  }
});

test('each of them is a review, with room for a uid', () => {
  for (const { body } of reviewKinds()) expect(parseReview(body).uid).toBe(UID);
});

test('99 % are faster than the latency of 99 %', () => {
  expect(quantile(FIGURES.load.latencies, 0.99)).toBe(19.8);
  expect(quantile([5], 0.99)).toBe(5);
});

test.each([
  ['all is well', {}, true],
  ['one failed', { failures: { 'no answer in 10 s': 1 } }, false],
  ['one of fifty was late', { latencies: [...Array(98).fill(1), 60, 60] }, false],
])('%s', (_, load, met) => {
  const verdict = judge({ ...FIGURES, load: { ...FIGURES.load, ...load } });
  expect(verdict.met).toBe(met);
  expect([exitCode(verdict, { check: true }), exitCode(verdict, { check: false })]).toEqual([met ? 0 : 1, 0]);
});

test('a machine that did not make a rate can be asked for four fifths of it next, a slow one for less', () => {
  expect(judge(FIGURES)).toMatchObject({ cpuMs: 1, bareCpuMs: 0.5, nextRate: 400 });
  expect(judge({ ...FIGURES, rate: 400 }).nextRate).toBe(320);
  expect(judge({ ...FIGURES, bare: { ...FIGURES.bare, cpu: { user: 10, system: 10 } } }).nextRate).toBe(400);
  expect(judge({ ...FIGURES, bare: { ...FIGURES.bare, cpu: { user: 40, system: 40 } } }).nextRate).toBe(250);
});

test('what the machine itself kept waiting shows at the server beside the webhook', () => {
  expect(judge(FIGURES).besideP99Ms).toBeCloseTo(1.98);
});

test('a sender that was late itself is a doubt', () => {
  expect(judge(FIGURES).doubts).toEqual([]);
  expect(judge({ ...FIGURES, load: { ...FIGURES.load, senderLateness: 30 } }).doubts).toEqual([expect.stringContaining('30 ms late')]);
});

test('the report says what was sent, and whether the goal is met', () => {
  const report = render(FIGURES);
  for (const text of ['500 a second for 30 s', '19.8 ms', '< 50 ms: met', '1.00 ms', '100 MiB', 'executor']) expect(report).toContain(text);
});

test('flags', () => {
  expect(parseOptions([])).toEqual({ seconds: 30, rate: 500, json: undefined, check: false });
  expect(parseOptions(['--seconds', '5', '--rate=50', '--check'])).toMatchObject({ seconds: 5, rate: 50, check: true });
  expect(() => parseOptions(['--rate=0'])).toThrow('--rate=0');
  expect(() => parseOptions(['--speed'])).toThrow('--speed');
});
