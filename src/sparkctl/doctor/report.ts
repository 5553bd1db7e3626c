import { stringify } from 'yaml';
import type { Finding, Level } from './finding';
import { painter, type Colour } from '../../text/colours';
import { printable } from '../../text/printable';
import { remedyLines, wrappedText } from '../../text/message';
import type { Terminal } from '../terminal';

const LEVELS: readonly Level[] = ['ok', 'warning', 'error', 'not allowed'];

const COLOURS: Readonly<Record<Level, Colour>> = { 'ok': 'green', 'warning': 'yellow', 'error': 'red', 'not allowed': 'cyan' };

/** Width of the column before a message. */
const INDENT = 15;

/** Fewest columns of messages, in however narrow a terminal. */
const LEAST = 20;

/** Counts findings by level. */
export function countsOf(findings: readonly Finding[]): Record<Level, number> {
  return Object.fromEntries(LEVELS.map((level) => [
    level, findings.filter((finding) => finding.level === level).length,
  ])) as Record<Level, number>;
}

/** Returns the problems among findings, errors first. */
export function problemsOf(findings: readonly Finding[]): Finding[] {
  return (['error', 'warning'] as const).flatMap((level) => findings.filter((finding) => finding.level === level));
}

/** Returns problems first, then the other findings. */
function sorted(findings: readonly Finding[]): Finding[] {
  const problems = new Set(problemsOf(findings));
  return [...problems, ...findings.filter((finding) => !problems.has(finding))];
}

/**
 * Returns the findings as text: problems first, then the others by check.
 *
 * @param quiet whether only problems are returned
 */
export function textOf(findings: readonly Finding[], terminal: Terminal, quiet = false): string {
  const paint = painter(terminal);
  const [margin, indent] = quiet ? ['', INDENT - 2] : ['  ', INDENT];
  const width = Math.max((terminal.columns ?? Infinity) - indent, LEAST);
  const under = ' '.repeat(indent);
  const line = ({ check, level, message, remedy }: Finding, hasPrefix = false) => {
    const prefix = hasPrefix ? `${check}: ` : '';
    const [first, ...rest] = wrappedText(`${prefix}${oneLine(message)}`, width);
    const text = hasPrefix && first!.startsWith(prefix) ? `${paint(check, 'bold')}${first!.slice(check.length)}` : first;
    return [
      `${margin}${paint(level.padEnd(INDENT - 2), COLOURS[level])}${text}`, ...rest.map((each) => under + each),
      ...(remedy === undefined ? [] : remedyLines(oneLine(remedy), width - 2)
        .map((each, index) => `${under}${index === 0 ? paint('→', 'dim') : ' '} ${each}`)),
    ];
  };
  const problems = problemsOf(findings);
  const problemLines = problems.flatMap((finding) => line(finding, true));
  if (quiet) return problemLines.map((text) => `${text}\n`).join('');
  const others = findings.filter((finding) => !problems.includes(finding));
  const checks = [...new Set(others.map(({ check }) => check))];
  const { ok, warning, error, 'not allowed': notAllowed } = countsOf(findings);
  return [
    ...(problems.length > 0 ? [paint('Problems', 'bold'), ...problemLines, ...(checks.length > 0 ? [''] : [])] : []),
    ...checks.flatMap((check) => [paint(check, 'bold'), ...others.filter((finding) => finding.check === check).flatMap((each) => line(each))]),
    '',
    [
      `${error} ${error === 1 ? 'error' : 'errors'}`, `${warning} ${warning === 1 ? 'warning' : 'warnings'}`, `${ok} ok`,
      ...(notAllowed > 0 ? [`${notAllowed} not allowed to read`] : []),
    ].join(', '),
    '',
  ].join('\n');
}

/** Returns a note about what `--quiet` omits although it can hide problems; empty if nothing. */
export function omittedText(findings: readonly Finding[]): string {
  const { 'not allowed': count } = countsOf(findings);
  return count > 0 ? `${count} not allowed to read: without --quiet, it lists them\n` : '';
}

/** Data that `-o json` and `-o yaml` print. Fields are only added between versions. */
export interface DoctorData {
  /** Problems first. */
  readonly findings: readonly Finding[];
  /** Number of all findings by level, also of those that `--quiet` omits. */
  readonly counts: { readonly error: number; readonly warning: number; readonly ok: number; readonly notAllowed: number };
}

/**
 * Returns the findings as JSON or YAML, problems first.
 *
 * @param quiet whether only problems are returned
 */
export function dataOf(findings: readonly Finding[], format: 'json' | 'yaml', quiet = false): string {
  const data = doctorData(findings, quiet);
  return format === 'json' ? `${JSON.stringify(data, undefined, 2)}\n` : stringify(data, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** Returns the findings as data. @param quiet whether only problems are returned */
export function doctorData(findings: readonly Finding[], quiet = false): DoctorData {
  const { 'not allowed': notAllowed, ...others } = countsOf(findings);
  return { findings: quiet ? problemsOf(findings) : sorted(findings), counts: { ...others, notAllowed } };
}

function oneLine(text: string): string {
  return printable(text.trim().replace(/\s*\n\s*/g, ' '));
}
