import type { TranslatedValue, Translation } from './translate';
import type { PropsPart } from './values/translation';
import { printable } from '../../text/printable';
import { isObject } from '../../model/is-object';
import { painter, widthOf } from '../../text/colours';
import { tableLines } from '../../text/table';
import { wrapped } from '../../text/wrapped';
import type { Terminal } from '../terminal';

/**
 * Returns the table of values, and below it the values without a counterpart. Where the table does
 * not fit, each value is followed by lines with what it becomes.
 */
export function tableText({ values, chart: { release } }: Translation, terminal: Terminal): string {
  const paint = painter(terminal);
  const kept = values.filter(({ loss, becomes, note }) => loss === undefined || becomes || note);
  const losses = values.filter(({ loss }) => loss !== undefined);
  const version = release.version === undefined ? '' : `, chart ${release.version}`;
  const rows = kept.map((row): [string, string, string] => [row.value, propsText(row.becomes) || '-', row.note ?? '']);
  const body = rows.length > 0 ? rowLines(rows, terminal) : ['all of them equal the defaults'];
  return [
    ...[`Values of ${release.source}${version}, and defaults of the chart, and what they become:`, ...body].map(printable),
    ...(losses.length > 0 ? ['', paint(countText(losses), 'yellow'), ...losses.flatMap((row) => lossLines(row, terminal)).map(printable)] : []),
    '',
  ].join('\n');
}

function rowLines(rows: readonly (readonly [value: string, becomes: string, note: string])[], { columns = Infinity }: Terminal): string[] {
  const table = tableLines(['VALUE', 'BECOMES', 'NOTE'], rows);
  if (table.every((line) => widthOf(line) <= columns)) return table;
  return rows.flatMap(([value, ...others]) => [
    value, ...others.filter((text) => text !== '').flatMap((text) => wrapped(text, columns - 4).map((line) => `    ${line}`)),
  ]);
}

function countText({ length }: readonly TranslatedValue[]): string {
  return length === 1 ? '1 value has no complete counterpart:' : `${length} values have no complete counterpart:`;
}

function lossLines({ value, loss }: TranslatedValue, { columns = Infinity }: Terminal): string[] {
  return wrapped(`${value}: ${loss}`, Math.max(columns - 4, 20)).map((line, index) => `${index === 0 ? '  ' : '    '}${line}`);
}

/** Formats props in one line, such as `metrics.prefix: data_`. */
export function propsText(props: PropsPart = {}): string {
  return leavesOf(props, '').map(([path, value]) => `${path}: ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ');
}

/** Returns paths and values of props. Maps with keys of users, such as labels, are values. */
function leavesOf(props: PropsPart, prefix: string): [string, unknown][] {
  return Object.entries(props).flatMap(([name, value]): [string, unknown][] => {
    const path = `${prefix}${name}`;
    const isGroup = isObject(value) && Object.keys(value).length === 1 && Object.keys(value).every((key) => /^[a-z]\w*$/i.test(key));
    return isGroup && !/(?:labels|annotations|selector)$/i.test(name) ? leavesOf(value, `${path}.`) : [[path, value]];
  });
}

/** Data that `-o json` prints. Fields are only added between versions. */
export function migrationData({ values, props, chart: { release: { name, namespace, version } } }: Translation): object {
  return { release: { name, namespace, ...(version !== undefined && { chart: version }) }, values, props };
}
