import { parseArgs } from 'node:util';
import { CLUSTER_OPTIONS } from './cluster';
import type { Option, Options } from './options';
import { unknown } from './errors';
import { UsageError } from '../text/usage-error';

/** Option values and positional arguments of a command line. */
export interface ParsedArguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
  /** Words after `--`, which are also positional arguments; undefined without `--`. */
  readonly rest?: readonly string[];
}

/**
 * Parses the arguments of a command. If an option is repeated, its last value applies, as in
 * kubectl.
 *
 * @throws UsageError if an option is unknown, lacks its value, or has a wrong one
 */
export function parseArguments(args: readonly string[], options: Options): ParsedArguments {
  const values = new Map<string, string | boolean | undefined>(Object.entries(options).map(([name, option]) => [
    name, option.value === undefined ? false : option.default,
  ]));
  // Not strict: the messages of parseArgs name no remedy.
  const { tokens } = parseArgs({
    args: switchesInFull(args, options),
    options: Object.fromEntries(Object.entries(options).map(([name, { value, short }]) => [name, {
      type: value === undefined
        ? 'boolean'
        : 'string', ...(short && { short }),
    }])),
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
    // As in kubectl, -o=yaml equals -oyaml.
    const value = token.inlineValue && token.rawName.length === 2 ? token.value.replace(/^=/, '') : token.value;
    if (value === undefined || (!token.inlineValue && value.startsWith('-') && value !== '-')) {
      throw new UsageError(`${token.rawName} needs a value; write ${token.rawName}=${option.value}`);
    }
    if (option.choices && !option.choices.includes(value)) {
      throw new UsageError(`${token.rawName}=${value}: write one of ${option.choices.join(', ')}`);
    }
    if (option.isPositional) positionals.push(value);
    if (option.isIgnoredIfEmpty && value === '') values.set(token.name, option.default);
    else values.set(token.name, option.repeatable && given.has(token.name) ? `${String(values.get(token.name))},${value}` : value);
    given.add(token.name);
  }
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index;
  return { values: Object.fromEntries(values), positionals, ...(end !== undefined && { rest: args.slice(end + 1) }) };
}

/**
 * Rewrites `-A=true` as `--all-namespaces=true`: parseArgs would read each of its characters as a
 * switch.
 */
function switchesInFull(args: readonly string[], options: Options): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, index) => {
    const [, letter, value] = /^-([A-Za-z])=(.*)$/s.exec(arg) ?? [];
    const name = index < end && letter ? nameOfLetter(letter, options) : undefined;
    return name !== undefined && options[name]!.value === undefined ? `--${name}=${value}` : arg;
  });
}

function switchValue(name: string, value: string | undefined): boolean {
  if (value !== undefined && value !== 'true' && value !== 'false') {
    throw new UsageError(`${name}=${value}: it is a switch; write ${name} alone, or ${name}=false`);
  }
  return value !== 'false';
}

function namesOf(options: Options): string[] {
  return Object.entries(options).flatMap(([name, { short }]) => [`--${name}`, ...(short ? [`-${short}`] : [])]);
}

function nameOfLetter(letter: string, options: Options): string | undefined {
  return Object.keys(options).find((name) => options[name]!.short === letter);
}

/** Option in a word of the command line. */
export interface WrittenOption {
  readonly name: string;
  readonly option: Option;
  /** Part of the word before the value, such as `--output=`. */
  readonly prefix: string;
  /** Whether the word also holds a value, which can be empty. */
  readonly hasValue: boolean;
}

/** Returns the option that a word names; undefined if it names none of them. */
export function optionIn(word: string, options: Options): WrittenOption | undefined {
  const [, long, equals = ''] = /^--([^=]+)(=?)/.exec(word) ?? [];
  if (long !== undefined) {
    return Object.hasOwn(options, long)
      ? { name: long, option: options[long]!, prefix: `--${long}${equals}`, hasValue: equals !== '' }
      : undefined;
  }
  const [, letter, rest = ''] = /^-([A-Za-z])(.*)$/s.exec(word) ?? [];
  const name = letter && nameOfLetter(letter, options);
  return name
    ? { name, option: options[name]!, prefix: rest.startsWith('=') ? `-${letter}=` : `-${letter}`, hasValue: rest !== '' }
    : undefined;
}

/**
 * Returns how many leading words are cluster options: kubectl accepts them before the command. The
 * last option might lack its value.
 */
export function clusterWords(words: readonly string[]): number {
  let count = 0;
  for (let written = optionIn(words[0] ?? '', CLUSTER_OPTIONS); written; written = optionIn(words[count] ?? '', CLUSTER_OPTIONS)) {
    count += written.hasValue ? 1 : 2;
  }
  return count;
}

/**
 * Moves the command before the cluster options; a command line without a command stays unchanged.
 */
export function commandFirst(words: readonly string[]): readonly string[] {
  const count = clusterWords(words);
  return count > 0 && count < words.length ? [words[count]!, ...words.slice(0, count), ...words.slice(count + 1)] : words;
}
