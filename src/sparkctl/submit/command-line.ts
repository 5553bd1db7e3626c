import { unknown } from '../errors';
import type { Option } from '../options';
import { UsageError } from '../../text/usage-error';
import { SUBMIT_OPTIONS } from './options';

export type SubmitOption = keyof typeof SUBMIT_OPTIONS;

/** Option of a command line, with its value; that of a switch is empty. */
export interface GivenOption {
  readonly name: SubmitOption;
  readonly value: string;
}

/** Command line of `sparkctl submit`. */
export interface SubmitLine {
  /** The options in their order. */
  readonly options: readonly GivenOption[];
  /** The application. @default - the command line has none */
  readonly resource?: string;
  /** Arguments of the application. */
  readonly arguments: readonly string[];
}

/**
 * Splits a command line by the rules of spark-submit (SparkSubmitOptionParser): options end at the
 * first other word, which is the application, and all following words are its arguments. An option
 * takes the next word as its value, whatever it looks like; a switch ignores one. `--help` ends it.
 *
 * @throws {UsageError} if an option is unknown or lacks its value
 */
export function submitLine(words: readonly string[]): SubmitLine & { readonly isHelp: boolean } {
  const options: GivenOption[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const [, before, after] = /^(--[^=]+)=([^\n\r\u0085\u2028\u2029]+)$/.exec(word) ?? [];
    const written = before ?? word;
    if (written === '--help' || written === '-h') return { options, arguments: [], isHelp: true };
    const name = optionOf(written);
    if (name === undefined) {
      if (word.startsWith('-')) throw unknownOption(word);
      return { options, resource: word, arguments: words.slice(index + 1), isHelp: false };
    }
    const option: Option = SUBMIT_OPTIONS[name];
    if (option.value === undefined) {
      options.push({ name, value: '' });
      continue;
    }
    const value = after ?? (option.optional ? '' : words[++index]);
    if (value === undefined) throw new UsageError(`${word} needs a value; write ${written} ${option.value}`);
    if (option.choices && value !== '' && !option.choices.includes(value)) {
      throw new UsageError(`${written} ${value}: write one of ${option.choices.join(', ')}`);
    }
    options.push({ name, value });
  }
  return { options, arguments: [], isHelp: false };
}

const NAMES = Object.keys(SUBMIT_OPTIONS) as readonly SubmitOption[];

function optionOf(written: string): SubmitOption | undefined {
  return NAMES.find((name) => written === `--${name}` || written === shortOf(name));
}

function shortOf(name: SubmitOption): string | undefined {
  const { short }: Option = SUBMIT_OPTIONS[name];
  return short && `-${short}`;
}

function unknownOption(word: string): UsageError {
  const [name = '', value] = word.split(/=(.*)/s, 2);
  if (optionOf(name) && value !== undefined) {
    return new UsageError(`${word} has ${value === '' ? 'an empty value' : 'several lines'} after =; write the value as the next word`);
  }
  return unknown('option', name, [...NAMES.map((each) => `--${each}`), ...NAMES.flatMap((each) => shortOf(each) ?? [])]);
}

/** Returns the last value of an option; undefined if the command line does not have it. */
export function lastOf({ options }: SubmitLine, name: SubmitOption): string | undefined {
  return options.findLast((option) => option.name === name)?.value;
}

/** Returns whether the command line has a switch. */
export function hasOption(line: SubmitLine, name: SubmitOption): boolean {
  return lastOf(line, name) !== undefined;
}

/** Returns all values of an option, in their order. */
export function allOf({ options }: SubmitLine, name: SubmitOption): string[] {
  return options.filter((option) => option.name === name).map(({ value }) => value);
}
