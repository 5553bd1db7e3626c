import { isFigure } from './format.ts';
import { scaleFor, type Axis } from './scale.ts';
import { colour, document, element, legend, text, textWidth, WIDTH } from './svg.ts';

export interface Line {
  readonly name: string;
  /** In the order of x; a y that is not there makes a gap. */
  readonly points: readonly (readonly [x: number, y: number | null | undefined])[];
}

export interface LinePlot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
  /** Whether points are marked, and their values shown. @default - when no line has more than a dozen */
  readonly marked?: boolean;
  /** A value of y as it stands beside its point. */
  readonly show: (value: number) => string;
  readonly goal?: { readonly value: number; readonly label: string };
}

const HEIGHT = 240;
/** More are not to be told apart. */
const MOST_POINTS = 160;

/** Lines over something that grows, or over time. */
export function linePlot({ title, x, y, lines, show, goal, marked = lines.every(({ points }) => points.length <= 12) }: LinePlot): string {
  const key = lines.length > 1 ? legend(lines.map(({ name }) => name), 34) : { markup: '', height: 0 };
  const top = 56 + key.height;
  const bottom = top + HEIGHT;
  const drawn = lines.map(({ name, points }) => ({ name, points: thinned(points) }));
  const all = drawn.flatMap(({ points }) => points);
  const values = [...all.map(([, value]) => value).filter(isFigure), ...(goal ? [goal.value] : [])];
  const vertical = scaleFor(values, y, bottom, top);
  const left = 20 + Math.max(...vertical.ticks.map(({ label }) => textWidth(label)));
  const right = WIDTH - 40;
  const labels: { x: number; y: number; width: number }[] = [];
  const horizontal = scaleFor(all.map(([value]) => value), x, left, right);

  return document(
    bottom + 42, title, drawn.map(({ name, points }) => describe(name, points, show)).join('; '),
    key.markup,
    text(12, top - 12, y.label),
    ...vertical.ticks.map(({ at, label }) => element('line', { x1: left, x2: right, y1: at, y2: at, class: 'grid' }) + text(left - 6, at + 4, label, { 'text-anchor': 'end' })),
    ...horizontal.ticks.map(({ at, label }) => element('line', { x1: at, x2: at, y1: top, y2: bottom, class: 'grid' }) + text(at, bottom + 16, label, { 'text-anchor': 'middle' })),
    ...(goal
      ? [element('line', { x1: left, x2: right, y1: vertical.at(goal.value), y2: vertical.at(goal.value), class: 'goal' }),
        text(right, vertical.at(goal.value) - 5, goal.label, { 'class': 'goal-text', 'text-anchor': 'end' })]
      : []),
    ...drawn.flatMap(({ points }, index) => draw(points, index)),
    text((left + right) / 2, bottom + 34, x.label, { 'text-anchor': 'middle' }),
  );

  /** The value stands above its point, or below, or is left out when others stand there. */
  function mark(cx: number, cy: number, index: number, value: string): string[] {
    const place = [cy - 8, cy + 17].find((at) => labels.every((other) => Math.abs(other.x - cx) > (textWidth(value) + other.width) / 2 || Math.abs(other.y - at) > 11));
    if (place !== undefined) labels.push({ x: cx, y: place, width: textWidth(value) });
    return [element('circle', { cx, cy, r: 3.5, fill: colour(index) }), ...(place === undefined ? [] : [text(cx, place, value, { 'text-anchor': 'middle' })])];
  }

  function draw(points: Line['points'], index: number): string[] {
    const isThere = (number: number) => isFigure(points[number]?.[1]);
    const path = points.map(([at, value], number) => {
      if (!isFigure(value)) return '';
      const place = `${horizontal.at(at).toFixed(1)} ${vertical.at(value).toFixed(1)}`;
      // A line of no length is a dot.
      return isThere(number - 1) ? `L${place}` : `M${place}${isThere(number + 1) ? '' : 'h0'}`;
    }).join('');
    const marks = marked ? points.flatMap(([at, value]) => (isFigure(value) ? mark(horizontal.at(at), vertical.at(value), index, show(value)) : [])) : [];
    return [element('path', { 'd': path || undefined, 'fill': 'none', 'stroke': colour(index), 'stroke-width': 2, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' }), ...marks];
  }
}

/** Of more points than can be told apart, those of each stretch are one: the greatest, as what stands out is what matters. */
function thinned(points: Line['points']): Line['points'] {
  if (points.length <= MOST_POINTS) return points;
  const stretch = points.length / MOST_POINTS;
  return Array.from({ length: MOST_POINTS }, (_, index) => {
    const those = points.slice(Math.floor(index * stretch), Math.floor((index + 1) * stretch));
    return those.reduce((best, point) => ((point[1] ?? -Infinity) > (best[1] ?? -Infinity) ? point : best));
  });
}

function describe(name: string, points: Line['points'], show: (value: number) => string): string {
  const values = points.map(([, value]) => value).filter(isFigure);
  if (values.length === 0) return `${name}: nothing`;
  return points.length <= 12
    ? `${name}: ${points.flatMap(([at, value]) => (isFigure(value) ? [`${at}: ${show(value)}`] : [])).join(', ')}`
    : `${name}: from ${show(Math.min(...values))} to ${show(Math.max(...values))}`;
}
