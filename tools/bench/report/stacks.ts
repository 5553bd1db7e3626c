import { scaleFor, type Axis } from './scale.ts';
import { colour, document, element, legend, text, textWidth, WIDTH } from './svg.ts';

/** Parts of a whole. */
export interface Stack {
  readonly label: string;
  readonly parts: readonly { readonly name: string; readonly value: number }[];
}

export interface StackPlot {
  readonly title: string;
  readonly axis: Axis;
  readonly stacks: readonly Stack[];
  /** A value as it stands beside a stack. */
  readonly show: (value: number) => string;
  /** As many names get a part of their own, those that are greatest in sum; the rest is one. @default 7 */
  readonly most?: number;
}

const REST = 'others';
const BAR = 22;
const GAP = 12;

/** Lying bars that are made of parts, with the whole beside them. */
export function stackPlot({ title, axis, stacks, show, most = 7 }: StackPlot): string {
  const names = namesOf(stacks, most);
  const key = legend(names, 34);
  const top = 34 + key.height + 4;
  const totals = stacks.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const left = 16 + Math.min(260, Math.max(40, ...stacks.map(({ label }) => textWidth(label))));
  const right = WIDTH - 16 - Math.max(0, ...totals.map((total) => textWidth(show(total))));
  const scale = scaleFor(totals, axis, left, right);
  const bottom = top + stacks.length * (BAR + GAP);

  const grid = scale.ticks.map(({ at, label }) => element('line', { x1: at, x2: at, y1: top, y2: bottom, class: 'grid' }) + text(at, bottom + 15, label, { 'text-anchor': 'middle' }));
  const bars = stacks.flatMap(({ label, parts }, index) => {
    const y = top + index * (BAR + GAP) + GAP / 2;
    let sum = 0;
    const drawn = names.map((name, number) => {
      const value = parts.filter((part) => (names.includes(part.name) ? part.name : REST) === name).reduce((all, part) => all + part.value, 0);
      const [from, to] = [scale.at(sum), scale.at(sum += value)];
      if (value === 0) return '';
      return element('rect', { x: from, y, width: to - from, height: BAR, fill: colour(number) })
        // A narrow part has no room for its value.
        + (to - from >= textWidth(show(value)) + 4 ? text((from + to) / 2, y + BAR / 2 + 4, show(value), { 'text-anchor': 'middle', 'style': 'fill:#fff' }) : '');
    });
    return [text(left - 8, y + BAR / 2 + 4, label, { 'text-anchor': 'end' }), ...drawn, text(scale.at(sum) + 5, y + BAR / 2 + 4, show(sum))];
  });
  return document(
    bottom + 42, title, stacks.map(({ label, parts }) => `${label}: ${parts.map(({ name, value }) => `${name} ${show(value)}`).join(', ')}`).join('; '),
    key.markup, ...grid, ...bars, text((left + right) / 2, bottom + 33, axis.label, { 'text-anchor': 'middle' }),
  );
}

/** The greatest names, and the rest if there is any. */
function namesOf(stacks: readonly Stack[], most: number): string[] {
  const sums = new Map<string, number>();
  for (const { name, value } of stacks.flatMap(({ parts }) => parts)) sums.set(name, (sums.get(name) ?? 0) + value);
  const sorted = [...sums].filter(([name]) => name !== REST).sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1)).map(([name]) => name);
  return sorted.length <= most && !sums.has(REST) ? sorted : [...sorted.slice(0, most), REST];
}
