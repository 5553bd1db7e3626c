import type { Command } from './command';
import type { Option } from './options';
import type { CommandEntry } from './commands';
import { wrapped, wrappedWords } from '../text/wrapped';

/** Option that every command has. */
export const HELP: Option = { short: 'h', help: 'print this' };

/** Widths of help texts, in columns: long lines are hard to read. */
const [MIN_WIDTH, MAX_WIDTH] = [80, 120];

/** Maximum width of the left column of a table. */
const MAX_LEFT = 30;

/** Returns the width of a help text. @param columns width of the terminal; undefined if unknown */
function widthFor(columns: number = MIN_WIDTH): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns));
}

/** Returns the output of `sparkctl --help`. @param columns width of the terminal */
export function programHelp(commands: readonly CommandEntry[], columns?: number): string {
  const width = widthFor(columns);
  return [
    'Runs Apache Spark on Kubernetes: tools around SparkApplications.',
    '',
    'Usage: sparkctl COMMAND …',
    '',
    'Commands:',
    ...table(commands.map(({ name, aliases = [], summary }) => [
      name, aliases.length === 0 ? summary : `${summary} (or: ${aliases.join(', ')})`,
    ]), width),
    '',
    'Options:',
    ...table([['--version', 'print the version'], ['-h, --help', 'print this; after a command, its usage']], width),
    '',
  ].join('\n');
}

/** Returns the output of `sparkctl NAME --help`. @param columns width of the terminal */
export function commandHelp(name: string, { usage, description, options, examples, exitCodes }: Command, columns?: number): string {
  const width = widthFor(columns);
  return [
    description.split('\n\n').map((paragraph) => wrapped(paragraph.replaceAll('\n', ' '), width).join('\n')).join('\n\n'),
    '',
    `Usage: sparkctl ${name} ${usage}`,
    '',
    'Options:',
    ...table(Object.entries<Option>({ ...options, help: HELP }).map(([option, definition]) => [
      optionText(option, definition), meaning(definition),
    ]), width),
    '',
    'Examples:',
    ...examples.flatMap(([line, use]) => [...wrapped(use, width - 4).map((each) => `  # ${each}`), ...commandLines(line, width)]),
    '',
    'Exit codes:',
    ...table(Object.entries<string>({ 0: 'success', 2: 'the command line is wrong', ...exitCodes }), width),
    '',
  ].join('\n');
}

function optionText(name: string, { short, value, optional }: Option): string {
  const written = value === undefined ? '' : optional ? `[=${value}]` : `=${value}`;
  return `${short ? `-${short}, ` : '    '}--${name}${written}`;
}

function meaning({ help, choices, default: byDefault }: Option): string {
  return [help, ...(choices ? [`: ${choices.join(', ')}`] : []), ...(byDefault === undefined ? [] : [` (default ${byDefault})`])].join('');
}

/** Returns the lines of two columns; the right column wraps. */
function table(rows: readonly (readonly [left: string, right: string])[], width: number): string[] {
  const indent = Math.min(MAX_LEFT, Math.max(...rows.map(([left]) => left.length))) + 4;
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, width - indent);
    // A long left column has a line of its own.
    const [first, ...others] = left.length + 4 > indent ? ['', ...lines] : lines;
    return [`  ${left}`.padEnd(indent) + first, ...others.map((line) => ' '.repeat(indent) + line)].map((line) => line.trimEnd());
  });
}

/** Returns a command line of a shell, continued in further lines if it is too long. */
function commandLines(line: string, width: number): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  const lines = wrappedWords(words, width - 6);
  return lines.map((each, index) => `${index === 0 ? '  ' : '    '}${each}${index < lines.length - 1 ? ' \\' : ''}`);
}
