import { parseArgs } from 'node:util';
import type { Options } from './command';
import { unknown, UsageError } from './errors';

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
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(options).map(([name, { value, short }]) => [name, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) }])),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) throw unknown('option', token.rawName, namesOf(options));
    if (option.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value; write ${token.rawName} alone`);
      values.set(token.name, true);
      continue;
    }
    // As with kubectl, -o=yaml is -oyaml.
    const value = token.inlineValue && token.rawName.length === 2 ? token.value.replace(/^=/, '') : token.value;
    if (value === undefined || (!token.inlineValue && value.startsWith('-') && value !== '-')) throw new UsageError(`${token.rawName} needs a value; write ${token.rawName}=${option.value}`);
    if (option.choices && !option.choices.includes(value)) throw new UsageError(`${token.rawName}=${value}: write one of ${option.choices.join(', ')}`);
    values.set(token.name, option.repeatable && given.has(token.name) ? `${String(values.get(token.name))},${value}` : value);
    given.add(token.name);
  }
  return { values: Object.fromEntries(values), positionals };
}

function namesOf(options: Options): string[] {
  return Object.entries(options).flatMap(([name, { short }]) => [`--${name}`, ...(short ? [`-${short}`] : [])]);
}
