import { stringify } from 'yaml';
import type { Finding, Level } from './finding';
import { painter, type Colour } from '../../text/colours';
import { printable } from '../../text/printable';
import type { Terminal } from '../terminal';

const LEVELS: readonly Level[] = ['ok', 'warning', 'error', 'not allowed'];

const COLOURS: Readonly<Record<Level, Colour>> = { 'ok': 'green', 'warning': 'yellow', 'error': 'red', 'not allowed': 'cyan' };

/** Width of the column before a message. */
const INDENT = 15;

/** Counts findings by level. */
export function countsOf(findings: readonly Finding[]): Record<Level, number> {
  return Object.fromEntries(LEVELS.map((level) => [
    level, findings.filter((finding) => finding.level === level).length,
  ])) as Record<Level, number>;
}

/** Returns the findings as text, grouped by check. */
export function textOf(findings: readonly Finding[], terminal: Terminal): string {
  const paint = painter(terminal);
  const checks = [...new Set(findings.map(({ check }) => check))];
  const line = ({ level, message, remedy }: Finding) => [
    `  ${paint(level.padEnd(INDENT - 2), COLOURS[level])}${oneLine(message)}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(INDENT)}${paint('→', 'dim')} ${oneLine(remedy)}`]),
  ];
  const { ok, warning, error, 'not allowed': notAllowed } = countsOf(findings);
  return [
    ...checks.flatMap((check) => [paint(check, 'bold'), ...findings.filter((finding) => finding.check === check).flatMap(line)]),
    '',
    [
      `${error} ${error === 1 ? 'error' : 'errors'}`, `${warning} ${warning === 1 ? 'warning' : 'warnings'}`, `${ok} ok`,
      ...(notAllowed > 0 ? [`${notAllowed} not allowed to read`] : []),
    ].join(', '),
    '',
  ].join('\n');
}

/** Returns the findings as JSON or YAML. */
export function dataOf(findings: readonly Finding[], format: 'json' | 'yaml'): string {
  const { 'not allowed': notAllowed, ...others } = countsOf(findings);
  const data = { findings, counts: { ...others, notAllowed } };
  return format === 'json' ? `${JSON.stringify(data, undefined, 2)}\n` : stringify(data, { aliasDuplicateObjects: false, lineWidth: 0 });
}

function oneLine(text: string): string {
  return printable(text.trim().replace(/\s*\n\s*/g, ' '));
}
