import type { Command } from './command';
import type { Option } from './options';
import type { CommandEntry } from './commands';

/** Option that every command has. */
export const HELP: Option = { short: 'h', help: 'print this' };

/** Width of help texts, in columns. */
const WIDTH = 120;

/** Returns the output of `sparkctl --help`. */
export function programHelp(commands: readonly CommandEntry[]): string {
  return [
    'Runs Apache Spark on Kubernetes: tools around SparkApplications.',
    '',
    'Usage: sparkctl COMMAND …',
    '',
    'Commands:',
    ...table(commands.map(({ name, aliases = [], summary }) => [name, aliases.length === 0 ? summary : `${summary} (or: ${aliases.join(', ')})`])),
    '',
    'Options:',
    ...table([['--version', 'print the version'], ['-h, --help', 'print this; after a command, its usage']]),
    '',
  ].join('\n');
}

/** Returns the output of `sparkctl NAME --help`. */
export function commandHelp(name: string, { usage, description, options, examples, exitCodes }: Command): string {
  return [
    description,
    '',
    `Usage: sparkctl ${name} ${usage}`,
    '',
    'Options:',
    ...table(Object.entries<Option>({ ...options, help: HELP }).map(([option, definition]) => [
      optionText(option, definition), meaning(definition),
    ])),
    '',
    'Examples:',
    ...examples.flatMap(([line, use]) => [`  # ${use}`, `  ${line}`]),
    '',
    'Exit codes:',
    ...table(Object.entries<string>({ 0: 'success', ...exitCodes, 2: 'the command line is wrong' })),
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
function table(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const indent = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows.flatMap(([left, right]) => wrapped(right, WIDTH - indent)
    .map((line, index) => (index === 0 ? `  ${left}` : '').padEnd(indent) + line));
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
