/* The first table of docs/reference/precedence.md, from the table of fields. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompiledPackage } from './assembly.ts';

const PATH = 'docs/reference/precedence.md';
const [BEGIN, END] = ['<!-- fields: begin -->', '<!-- fields: end -->'];

/** Parts of a row of the table of fields (`src/plan/fields.ts`). */
interface Field {
  readonly path: string;
  readonly property?: string;
  readonly setting?: string;
  readonly ofBothRoles?: string;
  readonly rank?: number;
  readonly otherwise?: string;
  readonly setBy?: string;
  readonly sources?: string | true;
}

/** Returns the page with the table as it is now. */
export function precedencePage(pkg: CompiledPackage, root: string): { readonly path: string; readonly text: string } {
  const { FIELDS, SPARK_CONF_RANK } = pkg.module('plan/fields') as { readonly FIELDS: readonly Field[]; readonly SPARK_CONF_RANK: number };
  const text = readFileSync(join(root, PATH), 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PATH} has no place for the table: add ${BEGIN} and ${END}`);
  const groups = new Map<string, Field[]>();
  for (const field of FIELDS) {
    const setting = field.setting ?? field.property;
    if (setting) groups.set(setting, [...groups.get(setting) ?? [], field]);
  }
  const rows = [...groups.values()].filter((fields) => !fields.some(isPutOntoThePod)).map((fields) => rowOf(fields, SPARK_CONF_RANK));
  const table = ['| property | from weakest to strongest | if two differ |', '|---|---|---|', ...rows];
  return { path: PATH, text: `${text.slice(0, begin)}${BEGIN}\n${table.join('\n')}\n${text.slice(end)}` };
}

/** Whether a row of the second table, which is written by hand, has the field. */
function isPutOntoThePod({ setBy, setting }: Field): boolean {
  return setBy === 'template-properties.ts' || /\.env$/.test(setting ?? '');
}

/** One row of the page: the fields with the same setting. */
function rowOf(fields: readonly Field[], ofSparkConf: number): string {
  const properties = fields.flatMap(({ property }) => property ?? []);
  const written = fields.map(({ sources }) => sources).find((sources) => typeof sources === 'string');
  const differ = properties.some((property) => property.endsWith('.')) ? 'by key' : 'warned';
  return `| ${properties.map((property) => code(namedRole(property))).join(', ')} | ${(written?.split(' < ') ?? sourcesOf(fields, ofSparkConf)).map(named).join(' < ')} | ${differ} |`;
}

function sourcesOf(fields: readonly Field[], ofSparkConf: number): string[] {
  const ranked = fields.flatMap(({ path, rank = ofSparkConf + 1, ofBothRoles, otherwise }) => [
    { source: path, rank },
    ...(otherwise ? [{ source: otherwise, rank: rank - 1 }] : []),
    ...(ofBothRoles ? [{ source: `sparkConf[${ofBothRoles}]`, rank: ofSparkConf - 1 }] : []),
  ]);
  const isInTemplate = fields.some(({ sources }) => sources === true);
  return [
    ...(isInTemplate ? ['role.template'] : []),
    ...[...ranked, { source: 'sparkConf', rank: ofSparkConf }].sort((a, b) => a.rank - b.rank).map(({ source }) => source),
  ];
}

/** Spark and the operator are no fields. */
function named(source: string): string {
  return ['Spark', 'operator'].includes(source) ? source : code(source);
}

function namedRole(property: string): string {
  return `${property.replace(/\brole\b/, '<role>')}${property.endsWith('.') ? '…' : ''}`;
}

function code(text: string): string {
  return `\`${text}\``;
}
