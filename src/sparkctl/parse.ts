import { parseArgs } from 'node:util';
import { CLUSTER_OPTIONS } from './cluster';
import type { Option, Options } from './options';
import { unknown } from './errors';
import { UsageError } from '../text/usage-error';

/** A command line, taken apart. */
export interface ParsedArguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/**
 * Takes the arguments of a command apart. Of an option that is there twice the last one counts, as with kubectl.
 *
 * @throws UsageError if an option is unknown, lacks its value, or has a wrong one
 */
export function parseArguments(args: readonly string[], options: Options): ParsedArguments {
  const values = new Map<string, string | boolean | undefined>(Object.entries(options).map(([name, option]) => [name, option.value === undefined ? false : option.default]));
  // Not strict: its messages have no advice.
  const { tokens } = parseArgs({
    args: switchesInFull(args, options),
    options: Object.fromEntries(Object.entries(options).map(([name, { value, short }]) => [name, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) }])),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const positionals: string[] = [];
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) throw unknown('option', token.rawName, namesOf(options));
    if (option.value === undefined) {
      values.set(token.name, switchValue(token.rawName, token.value));
      continue;
    }
    // As with kubectl, -o=yaml is -oyaml.
    const value = token.inlineValue && token.rawName.length === 2 ? token.value.replace(/^=/, '') : token.value;
    if (value === undefined || (!token.inlineValue && value.startsWith('-') && value !== '-')) throw new UsageError(`${token.rawName} needs a value; write ${token.rawName}=${option.value}`);
    if (option.choices && !option.choices.includes(value)) throw new UsageError(`${token.rawName}=${value}: write one of ${option.choices.join(', ')}`);
    if (option.isWord) positionals.push(value);
    if (option.isNoneIfEmpty && value === '') values.set(token.name, option.default);
    else values.set(token.name, option.repeatable && given.has(token.name) ? `${String(values.get(token.name))},${value}` : value);
    given.add(token.name);
  }
  return { values: Object.fromEntries(values), positionals };
}

/** The parser would take each character of `-A=true` for a switch. */
function switchesInFull(args: readonly string[], options: Options): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, index) => {
    const [, letter, value] = /^-([A-Za-z])=(.*)$/s.exec(arg) ?? [];
    const name = index < end && letter ? nameOfLetter(letter, options) : undefined;
    return name !== undefined && options[name]!.value === undefined ? `--${name}=${value}` : arg;
  });
}

function switchValue(name: string, value: string | undefined): boolean {
  if (value !== undefined && value !== 'true' && value !== 'false') throw new UsageError(`${name}=${value}: it is a switch; write ${name} alone, or ${name}=false`);
  return value !== 'false';
}

function namesOf(options: Options): string[] {
  return Object.entries(options).flatMap(([name, { short }]) => [`--${name}`, ...(short ? [`-${short}`] : [])]);
}

function nameOfLetter(letter: string, options: Options): string | undefined {
  return Object.keys(options).find((name) => options[name]!.short === letter);
}

/** An option as it is written in one word. */
export interface WrittenOption {
  readonly name: string;
  readonly option: Option;
  /** What stands before the value. */
  readonly prefix: string;
  /** Whether a value, be it an empty one, is in the word, too. */
  readonly hasValue: boolean;
}

/** The option that a word is; undefined if it is none of them. */
export function optionIn(word: string, options: Options): WrittenOption | undefined {
  const [, long, equals = ''] = /^--([^=]+)(=?)/.exec(word) ?? [];
  if (long !== undefined) return Object.hasOwn(options, long) ? { name: long, option: options[long]!, prefix: `--${long}${equals}`, hasValue: equals !== '' } : undefined;
  const [, letter, rest = ''] = /^-([A-Za-z])(.*)$/s.exec(word) ?? [];
  const name = letter && nameOfLetter(letter, options);
  return name ? { name, option: options[name]!, prefix: rest.startsWith('=') ? `-${letter}=` : `-${letter}`, hasValue: rest !== '' } : undefined;
}

/** How many words at the beginning of a command line are options of the cluster: kubectl takes them before the command, too. The last one may lack its value. */
export function clusterWords(words: readonly string[]): number {
  let count = 0;
  for (let written = optionIn(words[0] ?? '', CLUSTER_OPTIONS); written; written = optionIn(words[count] ?? '', CLUSTER_OPTIONS)) count += written.hasValue ? 1 : 2;
  return count;
}

/** A command line with the command before the options of the cluster; one without a command stays as it is. */
export function commandFirst(words: readonly string[]): readonly string[] {
  const count = clusterWords(words);
  return count > 0 && count < words.length ? [words[count]!, ...words.slice(0, count), ...words.slice(count + 1)] : words;
}
