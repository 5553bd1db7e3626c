import type { Frame } from './frames.ts';
import type { Span } from './screen.ts';

/** Settings of an animation. */
export interface DrawingOptions {
  /** Characters in a line. */
  readonly columns: number;
  /** Description, for those who do not see it. */
  readonly title: string;
  /** Milliseconds for which the end stays before it begins anew. @default 6000 */
  readonly hold?: number;
}

/** Pixels. */
const [FONT_SIZE, CELL_WIDTH, LINE_HEIGHT, MARGIN] = [14, 8.4, 20, 16];

/** On a dark ground of its own, so that it can be read on light and on dark pages. Each has a contrast of 4.5 or more. */
const STYLE = [
  `text{font:${FONT_SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#e6edf3;white-space:pre}`,
  '.bold{font-weight:600}.dim{fill:#8b949e}.red{fill:#ff7b72}.green{fill:#3fb950}.yellow{fill:#d29922}.blue{fill:#58a6ff}.magenta{fill:#bc8cff}.cyan{fill:#39c5cf}',
].join('');

/** A time in which something is seen, in frames; without an end it stays. */
interface Interval {
  readonly from: number;
  readonly to: number | undefined;
}

/**
 * Frames as an animated SVG that needs no script. A piece of text is drawn once for the whole time for which it stays where it is. Where nothing is animated, or people have asked for less
 * motion, its end is shown.
 */
export function svgOf(frames: readonly Frame[], { columns, title, hold = 6_000 }: DrawingOptions): string {
  const rows = Math.max(...frames.map(({ picture }) => picture.length));
  const [width, height] = [Math.ceil(columns * CELL_WIDTH) + 2 * MARGIN, rows * LINE_HEIGHT + 2 * MARGIN];
  const duration = frames.at(-1)!.at + hold;
  const percent = (frame: number) => `${Number((100 * frames[frame]!.at / duration).toFixed(3))}%`;
  const rules: string[] = [];
  const groups: string[] = [];
  for (const [index, [{ from, to }, texts]] of [...seen(frames)].entries()) {
    const isFirst = from === 0;
    const shown = '{visibility:visible}';
    const hidden = '{visibility:hidden}';
    rules.push(`@keyframes k${index}{${isFirst ? '' : `0%${hidden}`}${isFirst ? '0%' : percent(from)}${to === undefined ? ',to' : ''}${shown}${to === undefined ? '' : `${percent(to)},to${hidden}`}}`);
    groups.push(`<g class="${to === undefined ? 'last' : 'past'}" style="animation-name:k${index}">${texts.join('')}</g>`);
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" xml:space="preserve">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}g{animation:${duration / 1_000}s step-end infinite}.past{visibility:hidden}@media(prefers-reduced-motion:reduce){g{animation:none!important}}`,
    ...rules,
    '</style>',
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="#0d1117" stroke="#6e7681"/>`,
    ...groups,
    '</svg>',
    '',
  ].join('\n');
}

/** Content of the screen by time. Texts that come and go together are in one. */
function seen(frames: readonly Frame[]): Iterable<readonly [Interval, readonly string[]]> {
  const begun = new Map<string, number>();
  const intervals = new Map<string, [Interval, string[]]>();
  const end = (text: string, from: number, to: number | undefined) => {
    const key = `${from}-${to}`;
    const [, texts] = intervals.get(key) ?? intervals.set(key, [{ from, to }, []]).get(key)!;
    texts.push(text);
  };
  for (const [index, { picture }] of frames.entries()) {
    const texts = new Set(picture.flatMap((spans, row) => spans.map((span) => textOf(span, row))));
    for (const [text, from] of begun) {
      if (texts.has(text)) continue;
      begun.delete(text);
      end(text, from, index);
    }
    for (const text of texts) if (!begun.has(text)) begun.set(text, index);
  }
  for (const [text, from] of begun) end(text, from, undefined);
  return intervals.values();
}

function textOf({ column, text, colour, isBold, isDim }: Span, row: number): string {
  const classes = [isBold && 'bold', isDim && 'dim', colour].filter(Boolean).join(' ');
  const [x, y] = [pixels(MARGIN + column * CELL_WIDTH), MARGIN + row * LINE_HEIGHT + FONT_SIZE];
  // Whatever font there is: texts below each other stay there.
  const length = pixels([...text].length * CELL_WIDTH);
  return `<text${classes && ` class="${classes}"`} x="${x}" y="${y}" textLength="${length}">${escaped(text)}</text>`;
}

function pixels(value: number): number {
  return Number(value.toFixed(1));
}

function escaped(text: string): string {
  return text.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
