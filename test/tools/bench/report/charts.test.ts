import { attribute, faults, texts } from './markup';
import { barPlot } from '../../../../tools/bench/report/bars.ts';
import { linePlot } from '../../../../tools/bench/report/lines.ts';
import { scaleFor } from '../../../../tools/bench/report/scale.ts';
import { stackPlot } from '../../../../tools/bench/report/stacks.ts';

const ms = (value: number) => `${value} ms`;

test.each([
  ['from zero, in steps that people count in', [3, 47], false, ['0', '10', '20', '30', '40', '50']],
  ['less than one', [0.3], false, ['0', '0.1', '0.2', '0.3']],
  ['no values', [], false, ['0', '0.2', '0.4', '0.6', '0.8', '1']],
  ['powers of ten', [3, 47_000], true, ['1', '10', '100', '1,000', '10,000', '100,000']],
  ['between two of them', [0, 12, 70], true, ['10', '20', '50', '100']],
  ['no values, logarithmic', [0], true, ['1', '2', '5', '10']],
])('an axis: %s', (_, values, logarithmic, labels) => {
  const { ticks } = scaleFor(values, { logarithmic }, 100, 200);
  expect(ticks.map(({ label }) => label)).toEqual(labels);
  expect([ticks[0]!.at, ticks.at(-1)!.at]).toEqual([100, 200]);
});

test('on a logarithmic axis equal factors are equally far, and zero is at its edge', () => {
  const scale = scaleFor([1, 1000], { logarithmic: true }, 0, 300);
  expect([0, 1, 10, 100, 1000, 5000].map((value) => Math.round(scale.at(value)))).toEqual([0, 0, 100, 200, 300, 300]);
});

test('bars: as long as their values, with these beside them, and a line for the goal', () => {
  const svg = barPlot({
    title: 'Lag', axis: { label: 'ms' }, series: ['p50', 'p99'], show: ms, goal: { value: 40, label: 'goal' },
    groups: [{ label: 'few', values: [10, 20] }, { label: 'many', values: [40, NaN] }, { label: 'from JSON', values: [null, undefined] }],
  });
  expect(faults(svg)).toEqual([]);
  const widths = attribute(svg, 'rect', 'width').slice(2); // after the legend
  expect(widths.map((width) => Number((width / widths[0]!).toFixed(2)))).toEqual([1, 2, 4]);
  expect(texts(svg)).toEqual(expect.arrayContaining(['Lag', 'p50', 'p99', 'few', '10 ms', '20 ms', 'many', '40 ms', 'from JSON', 'goal', 'ms']));
  expect(svg).not.toContain('NaN');
  expect(svg).toContain('<desc>few: p50 10 ms, p99 20 ms; many: p50 40 ms; from JSON: </desc>');
});

test('stacks: parts one after the other, the smallest as one, with the sum beside them', () => {
  const svg = stackPlot({
    title: 'Calls', axis: { label: 'calls' }, show: String, most: 2,
    stacks: [{ label: 'a', parts: [{ name: 'GET', value: 4 }, { name: 'PUT', value: 2 }, { name: 'LIST', value: 1 }, { name: 'POST', value: 1 }] }, { label: 'b', parts: [{ name: 'PUT', value: 4 }] }],
  });
  expect(faults(svg)).toEqual([]);
  expect(texts(svg).slice(1, 4)).toEqual(['PUT', 'GET', 'others']);
  const [x, width] = [attribute(svg, 'rect', 'x').slice(3), attribute(svg, 'rect', 'width').slice(3)];
  expect(width.map((value) => Math.round(value / width[0]! * 2))).toEqual([2, 4, 2, 4]);
  expect(x[1]).toBeCloseTo(x[0]! + width[0]!, 0);
  expect(x[3]).toBe(x[0]);
  expect(texts(svg)).toEqual(expect.arrayContaining(['8', '4']));
});

test('lines: gaps stay gaps, and what stands alone is a dot', () => {
  const svg = linePlot({
    title: 'Lag over time', x: { label: 'seconds' }, y: { label: 'ms' }, show: ms, marked: false,
    lines: [{ name: 'lag', points: [[0, 0], [10, 100], [20, null], [30, 50], [40, NaN]] }],
  });
  expect(faults(svg)).toEqual([]);
  const path = / d="([^"]*)"/.exec(svg)![1]!;
  expect(path.match(/[MLh]/g)).toEqual(['M', 'L', 'M', 'h']);
  // The greatest value is at the top, and zero at the bottom.
  const [first, second] = [...path.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
  expect(first! - second!).toBe(240);
});

test('values of points that lie together do not cover each other', () => {
  const line = (name: string, y: number) => ({ name, points: [[10, y]] as const });
  const svg = linePlot({ title: 'Memory', x: { label: 'pods' }, y: { label: 'MiB' }, show: ms, lines: [line('a', 100), line('b', 101), line('c', 102)] });
  const labels = [...svg.matchAll(/ y="([\d.]+)" text-anchor="middle">\d+ ms</g)].map(([, y]) => Number(y));
  expect(labels).toHaveLength(2);
  expect(Math.abs(labels[0]! - labels[1]!)).toBeGreaterThan(11);
  expect(svg.match(/<circle/g)).toHaveLength(3);
});

test('more points than can be told apart are thinned, and what stands out stays', () => {
  const points = Array.from({ length: 20_000 }, (_, index) => [index, index === 12_345 ? 1000 : index % 7] as const);
  const svg = linePlot({ title: 'Lag', x: { label: 's' }, y: { label: 'ms' }, show: ms, lines: [{ name: 'lag', points }] });
  expect(Buffer.byteLength(svg)).toBeLessThan(10_000);
  expect(svg).toContain('<desc>lag: from 6 ms to 1000 ms</desc>');
});

test('text of others is shown, and is no markup', () => {
  const svg = barPlot({ title: '</text><script>&"\u0000\u0007', axis: { label: 'ms' }, series: [''], show: ms, groups: [{ label: 'a < b', values: [1] }] });
  expect(faults(svg)).toEqual([]);
  expect(texts(svg)).toContain('&#60;/text&#62;&#60;script&#62;&#38;&#34;');
  expect(texts(svg)).toContain('a &#60; b');
});
