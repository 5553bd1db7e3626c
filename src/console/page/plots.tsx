import type { ComponentChildren } from 'preact';
import { useSize } from './hooks';
import { timeMarks } from './steps';
import { axisTexts } from './format';

/** Margins of a plot for the labels of its axes, in pixels. */
const MARGIN = { left: 52, right: 8, top: 8, bottom: 22 };

const HEIGHT = 168;

/** Half the width of the text of a time, in pixels; a text that does not fit is left out. */
const HALF_MARK = 34;

/** Scales from values to pixels. */
export interface Scale {
  readonly x: (time: number) => number;
  readonly y: (value: number) => number;
}

interface PlotProps {
  readonly title: string;
  /** Description in a sentence. */
  readonly description: string;
  /** Text next to the title. */
  readonly note?: string;
  readonly from: number;
  readonly to: number;
  /** Values with a grid line; the last one is the greatest. */
  readonly marks: readonly number[];
  readonly markText: (value: number) => string;
  readonly draw: (scale: Scale) => ComponentChildren;
  readonly legend?: readonly (readonly [tone: string, text: string])[];
}

/** Renders a plot over time. */
export function Plot({ title, description, note, from, to, marks, markText, draw, legend = [] }: PlotProps) {
  const { ref, width } = useSize<HTMLDivElement>();
  const inner = Math.max(1, width - MARGIN.left - MARGIN.right);
  const greatest = marks.at(-1) || 1;
  const scale: Scale = {
    x: (time) => MARGIN.left + ((time - from) / Math.max(1, to - from)) * inner,
    y: (value) => HEIGHT - MARGIN.bottom - (value / greatest) * (HEIGHT - MARGIN.top - MARGIN.bottom),
  };
  const times = timeMarks(from, to, Math.max(2, Math.floor(inner / 100)), new Date().getTimezoneOffset());
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>{note && <span class="dim">{note}</span>}
        {legend.map(([tone, text]) => <span key={text} class="key"><span class={`swatch ${tone}`} aria-hidden="true" />{text}</span>)}
      </figcaption>
      <div ref={ref} class="plot-area">
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="img" aria-label={`${title}: ${description}`}>
            {marks.map((value) => (
              <g key={value}>
                <line class="rule" x1={MARGIN.left} x2={width - MARGIN.right} y1={scale.y(value)} y2={scale.y(value)} />
                <text class="mark-text" x={MARGIN.left - 6} y={scale.y(value) + 3.5} text-anchor="end">{markText(value)}</text>
              </g>
            ))}
            {axisTexts(times).map((text, index) => width - scale.x(times[index]!) > HALF_MARK && <text
              key={times[index]} class="mark-text" x={scale.x(times[index]!)} y={HEIGHT - 6} text-anchor="middle"
            >{text}</text>)}
            {draw(scale)}
          </svg>
        )}
      </div>
    </figure>
  );
}

/** Returns the points of a line in the format of SVG. */
export function path(points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
