/** Names and values of attributes; what is undefined is left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element, with texts and elements in it that are markup already. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${escape(typeof value === 'number' ? rounded(value) : value)}"`])).join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

/** A text as an element. */
export function text(x: number, y: number, content: string, attributes: Attributes = {}): string {
  return element('text', { x, y, ...attributes }, escape(content));
}

/** Text as it may stand in markup. What XML 1.0 has no way to write is left out. */
export function escape(content: string): string {
  return content.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A tenth of a pixel is enough. */
function rounded(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** Told apart also by those who do not see all colours, and to be read on light and on dark ground. */
const COLOURS = ['#3b82c4', '#e07b39', '#2a9d76', '#b569b0', '#b8962e', '#7c8794', '#c65b6a', '#4aa8c0'];

/** The colour of the series of a number. */
export function colour(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

const STYLE = [
  'text{font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#57606a}',
  '.title{font-size:14px;font-weight:600;fill:#24292f}',
  '.grid{stroke:#8c959f;stroke-opacity:.3}',
  '.goal{stroke:#cf222e;stroke-dasharray:5 4}',
  '.goal-text{fill:#cf222e}',
  '@media(prefers-color-scheme:dark){text{fill:#adb5bd}.title{fill:#e6edf3}.goal{stroke:#ff7b72}.goal-text{fill:#ff7b72}}',
].join('');

/** How wide all plots are, in pixels. */
export const WIDTH = 760;

/** A plot as a file: its title is also what those are told who do not see it. */
export function document(height: number, title: string, description: string, ...children: readonly string[]): string {
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${rounded(height)}`, role: 'img' },
    element('title', {}, escape(title)), element('desc', {}, escape(description)), element('style', {}, STYLE),
    text(12, 22, title, { class: 'title' }), ...children,
  )}\n`;
}

/** A line of coloured squares with names, in as many lines as it needs. */
export function legend(names: readonly string[], top: number): { readonly markup: string; readonly height: number } {
  const lineHeight = 18;
  let [x, y] = [12, top];
  const items = names.map((name, index) => {
    const width = 24 + textWidth(name);
    if (x > 12 && x + width > WIDTH - 12) [x, y] = [12, y + lineHeight];
    const item = element('rect', { x, y, width: 10, height: 10, fill: colour(index), rx: 2 }) + text(x + 15, y + 10, name);
    x += width + 10;
    return item;
  });
  return { markup: items.join(''), height: y - top + lineHeight };
}

/** About how wide a text is: the font is not known here. */
export function textWidth(content: string): number {
  return content.length * 6.4;
}
