import { nearest } from '../rules/known-fields';
import { FLAGS, type FlagName } from './table';
import { UsageError } from '../text/usage-error';
import { isBooleanWithoutEffect, NAMES_WITHOUT_EFFECT, whyWithoutEffect } from './without-effect';

/** A parsed command line. */
export interface CommandLine {
  /** Texts of the given flags. */
  readonly values: Readonly<Partial<Record<FlagName, string>>>;
  /** Given flags that have no effect, with the reasons. */
  readonly withoutEffect: Readonly<Record<string, string>>;
  /** Process to run: the complete operator, or with `webhook start` only the admission webhook. */
  readonly command: 'controller' | 'webhook';
  /** Whether it is one of kubeflow's operator: it begins with `controller start`. */
  readonly isKubeflows: boolean;
}

/** Whether a flag can be given as `--name` alone. */
function isBoolean(name: string): boolean {
  return isFlag(name) ? FLAGS[name].value === 'true|false' : isBooleanWithoutEffect(name);
}

/**
 * Parses a command line as Go's pflag does: `--name=value`, `--name value`, or `--name` for true.
 * The last of several values applies; lists are concatenated. kubeflow's `controller start` or
 * `webhook start` can precede the flags.
 *
 * @throws UsageError with all problems
 */
export function parseCommandLine(args: readonly string[]): CommandLine | 'help' | 'version' {
  const values: Partial<Record<FlagName, string>> = {};
  const withoutEffect: Record<string, string> = {};
  const problems: string[] = [];
  const rest = withoutCommand(args);
  if (rest.some((arg) => arg === '--help' || arg === '-h')) return 'help';
  if (rest.includes('--version')) return 'version';
  while (rest.length > 0) {
    const arg = rest.shift()!;
    const [, name, given] = /^--([^=]+)(?:=([^]*))?$/.exec(arg) ?? [];
    if (name === undefined) {
      problems.push(`${arg} is not a flag; flags begin with --`);
      continue;
    }
    const reason = whyWithoutEffect(name);
    if (!isFlag(name) && reason === undefined) {
      problems.push(unknown(name));
      // A separate value of the unknown flag is not another problem.
      if (given === undefined && rest[0] !== undefined && !rest[0].startsWith('--')) rest.shift();
      continue;
    }
    const value = given ?? (isBoolean(name) ? 'true' : rest.shift());
    if (value === undefined) problems.push(`--${name} needs a value, such as --${name}=${isFlag(name) ? FLAGS[name].value : 'VALUE'}`);
    else if (!isFlag(name)) withoutEffect[name] = reason!;
    else values[name] = isList(name) && values[name] !== undefined ? `${values[name]},${value}` : value;
  }
  if (problems.length > 0) throw new UsageError([...problems, 'Run with --help for the flags.'].join('\n'));
  return { values, withoutEffect, command: isWebhook(args) ? 'webhook' : 'controller', isKubeflows: isKubeflows(args) };
}

function isFlag(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

function isList(name: FlagName): boolean {
  return FLAGS[name].value.endsWith('…');
}

function withoutCommand(args: readonly string[]): string[] {
  return isKubeflows(args) || isWebhook(args) ? args.slice(2) : [...args];
}

function isWebhook(args: readonly string[]): boolean {
  if (args[0] === 'webhook' && args[1] !== 'start') throw new UsageError('webhook: write webhook start, and flags after it');
  return args[0] === 'webhook';
}

function isKubeflows(args: readonly string[]): boolean {
  return args[0] === 'controller' && args[1] === 'start';
}

function unknown(name: string): string {
  const similar = nearest(name, [...Object.keys(FLAGS), ...NAMES_WITHOUT_EFFECT]);
  return `--${name}: there is no such flag${similar === undefined ? '' : `; did you mean --${similar}?`}`;
}
