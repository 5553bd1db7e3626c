import { isFigure } from './format.ts';
import { scaleFor, type Axis } from './scale.ts';
import { colour, document, element, legend, text, textWidth, WIDTH } from './svg.ts';

/** Bars side by side that belong together, such as p50, p99 and the most of one measurement. */
export interface Group {
  readonly label: string;
  /** One for each series; NaN or undefined: there is none. */
  readonly values: readonly (number | null | undefined)[];
}

export interface BarPlot {
  readonly title: string;
  readonly axis: Axis;
  /** What the bars of a group are. One without a name needs no legend. */
  readonly series: readonly string[];
  readonly groups: readonly Group[];
  /** The value as it stands beside its bar. */
  readonly show: (value: number) => string;
  /** Where a goal is, as a line. */
  readonly goal?: { readonly value: number; readonly label: string };
}

const BAR = 15;
const GAP = 14;

/** Lying bars in groups, with their values beside them. */
export function barPlot({ title, axis, series, groups, show, goal }: BarPlot): string {
  const names = series.length > 1 ? legend(series, 34) : { markup: '', height: 0 };
  const top = 34 + names.height + (goal ? 18 : 4);
  const left = 16 + Math.min(260, Math.max(40, ...groups.map(({ label }) => textWidth(label))));
  const values = groups.flatMap((group) => group.values.filter(isFigure));
  const right = WIDTH - 16 - Math.max(0, ...values.map((value) => textWidth(show(value))));
  const scale = scaleFor([...values, ...(goal ? [goal.value] : [])], axis, left, right);
  const height = groups.length * (series.length * BAR + GAP);
  const bottom = top + height;

  const grid = scale.ticks.map(({ at, label }) => element('line', { x1: at, x2: at, y1: top, y2: bottom, class: 'grid' }) + text(at, bottom + 15, label, { 'text-anchor': 'middle' }));
  const bars = groups.flatMap((group, index) => {
    const y = top + index * (series.length * BAR + GAP) + GAP / 2;
    return [
      text(left - 8, y + series.length * BAR / 2 + 4, group.label, { 'text-anchor': 'end' }),
      ...group.values.flatMap((value, number) => {
        if (!isFigure(value)) return [];
        const end = Math.max(left + 1.5, scale.at(value));
        return [
          element('rect', { x: left, y: y + number * BAR + 1, width: end - left, height: BAR - 2, fill: colour(number), rx: 1 }),
          text(end + 5, y + number * BAR + 12, show(value)),
        ];
      }),
    ];
  });
  const line = goal
    ? [element('line', { x1: scale.at(goal.value), x2: scale.at(goal.value), y1: top, y2: bottom, class: 'goal' }),
      text(scale.at(goal.value), top - 6, goal.label, { 'class': 'goal-text', 'text-anchor': 'middle' })]
    : [];
  return document(
    bottom + 42, title, description(groups, series, show),
    names.markup, ...grid, ...bars, ...line, text((left + right) / 2, bottom + 33, axis.label, { 'text-anchor': 'middle' }),
  );
}

function description(groups: readonly Group[], series: readonly string[], show: (value: number) => string): string {
  return groups.map(({ label, values }) => `${label}: ${values.flatMap((value, index) => (isFigure(value) ? [`${series[index]} ${show(value)}`.trim()] : [])).join(', ')}`).join('; ');
}
