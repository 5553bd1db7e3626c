import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { ToolError } from '../local-cluster/errors.ts';

/** What a run of the benchmark is told. */
export interface Options {
  /** Applications that are measured, after the warm-up. */
  readonly applications: number;
  /** Applications that the operator, and the bare client, work on at the same time. */
  readonly workers: number;
  /** Turns of two seconds that each of both has when their rates are compared. */
  readonly turns: number;
  /** Submissions by Spark's own JVM that are measured beside; 0: none. */
  readonly jvmRuns: number;
  /** Whether the operator's CPU time is taken apart. */
  readonly profile: boolean;
  /** Where to write the report as JSON, too. */
  readonly json?: string;
  /** Whether a goal that is missed makes the run fail. */
  readonly check: boolean;
  /** Whether missing Debian packages may be installed. */
  readonly install: boolean;
}

/** Applications before those that are measured: connections are made and code is compiled by then. */
export const WARM_UP = 300;

/** Turns that each of both has when rates are compared: with fewer than 15 chance says as much as the rates. */
export const TURNS = 16;

const MAX_APPLICATIONS = 10_000;
const MAX_WORKERS = 64;
const MAX_TURNS = 25;
const MAX_JVM_RUNS = 100;

export const USAGE = `npm run bench:submission [-- flags]

  --applications N   applications to measure, after a warm-up of ${WARM_UP} (default 2000, at most ${MAX_APPLICATIONS})
  --workers N        applications at the same time, for operator and bare client (default 10, as the operator's)
  --turns N          turns of two seconds, of the operator and of the bare client each, that compare their rates (default ${TURNS}, at most ${MAX_TURNS})
  --jvm-runs N       submissions by Spark's own JVM to measure beside (default 12, at most ${MAX_JVM_RUNS})
  --no-jvm           none
  --profile          tell where the operator's CPU time goes; this makes it a little slower
  --json FILE        write the report as JSON, too
  --check            end with exit code 1 if a goal is missed, after the report (without it: 0)
  --no-install       do not install missing system packages`;

/**
 * Reads the command line.
 *
 * @throws ToolError for one that cannot be followed
 */
export function parseOptions(args: readonly string[]): Options | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  return {
    applications: wholeNumber('applications', values.applications, MAX_APPLICATIONS),
    workers: wholeNumber('workers', values.workers, MAX_WORKERS),
    turns: wholeNumber('turns', values.turns, MAX_TURNS),
    jvmRuns: values['no-jvm'] ? 0 : wholeNumber('jvm-runs', values['jvm-runs'], MAX_JVM_RUNS),
    profile: values.profile,
    json: values.json,
    check: values.check,
    install: !values['no-install'],
  };
}

function parse(args: readonly string[]) {
  return parseFlags(args, {
    'applications': { type: 'string', default: '2000' }, 'workers': { type: 'string', default: '10' }, 'turns': { type: 'string', default: String(TURNS) },
    'jvm-runs': { type: 'string', default: '12' }, 'no-jvm': { type: 'boolean', default: false }, 'profile': { type: 'boolean', default: false }, 'json': { type: 'string' },
    'check': { type: 'boolean', default: false },
    'no-install': { type: 'boolean', default: false }, 'help': { type: 'boolean', short: 'h', default: false },
  });
}

/** Reads a number. @throws ToolError for anything else */
export function wholeNumber(flag: string, text: string, most: number, least = 1): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (value < least || value > most) throw new ToolError(`--${flag}=${text} is not a whole number from ${least} to ${most}`);
  return value;
}

/** Reads flags; what is not a flag is not taken. @throws ToolError for a command line that cannot be followed */
export function parseFlags<Flags extends ParseArgsOptionsConfig>(args: readonly string[], options: Flags) {
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw new ToolError((error as Error).message, 'Run it with --help for the flags.');
  }
}
