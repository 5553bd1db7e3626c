import { parseFlags, wholeNumber } from '../options.ts';

/** What a run of the benchmark is told. */
export interface Options {
  /** Whether little time is to be taken. */
  readonly quick: boolean;
  /** The most applications that run at the same time. */
  readonly applications: number;
  /** Executors of each. */
  readonly executors: number;
  /** How long the greatest population is looked at, in seconds. */
  readonly steadySeconds: number;
  /** Applications that the operator works on at the same time. */
  readonly workers: number;
  /** After so many seconds all has to be over. */
  readonly deadline: number;
  /** Whether the operator's CPU time is taken apart. */
  readonly profile: boolean;
  /** Where to write the report as JSON, too. */
  readonly json?: string;
  /** Whether a goal that is missed makes the run fail. */
  readonly check: boolean;
  /** Whether missing Debian packages may be installed. */
  readonly install: boolean;
}

const MOST = { 'applications': 20_000, 'executors': 20, 'steady-seconds': 3600, 'workers': 64, 'deadline': 7200 } as const;

/** What is not said, by `--quick`. */
const DEFAULTS = {
  full: { 'applications': '10000', 'executors': '5', 'steady-seconds': '300', 'workers': '10', 'deadline': '4500' },
  quick: { 'applications': '200', 'executors': '5', 'steady-seconds': '10', 'workers': '10', 'deadline': '600' },
} as const;

export const USAGE = `npm run bench:population [-- flags]

  --quick             smaller sizes and shorter times, for about two minutes instead of half an hour
  --applications N    applications that run at the same time, at most (default 10000, quick 200; at most ${MOST.applications})
  --executors N       executors of each (default 5, at most ${MOST.executors})
  --steady-seconds N  how long they are looked at while they run (default 300, quick 10)
  --workers N         applications that the operator works on at the same time (default 10, as the operator's)
  --deadline SECONDS  by then all has to be over (default 4500, quick 600)
  --profile           tell where the operator's CPU time goes; this makes it a little slower
  --json FILE         write the report as JSON, too
  --check             end with exit code 1 if a goal is missed, after the report (without it: 0)
  --no-install        do not install missing system packages`;

/**
 * Reads the command line.
 *
 * @throws ToolError for one that cannot be followed
 */
export function parseOptions(args: readonly string[]): Options | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const defaults = DEFAULTS[values.quick ? 'quick' : 'full'];
  const number = (flag: keyof typeof MOST, least = 1) => wholeNumber(flag, values[flag] ?? defaults[flag], MOST[flag], least);
  return {
    quick: values.quick,
    applications: number('applications'),
    executors: number('executors'),
    steadySeconds: number('steady-seconds'),
    workers: number('workers'),
    deadline: number('deadline'),
    profile: values.profile,
    json: values.json,
    check: values.check,
    install: !values['no-install'],
  };
}

function parse(args: readonly string[]) {
  return parseFlags(args, {
    'quick': { type: 'boolean', default: false }, 'applications': { type: 'string' }, 'executors': { type: 'string' }, 'steady-seconds': { type: 'string' },
    'workers': { type: 'string' }, 'deadline': { type: 'string' },
    'profile': { type: 'boolean', default: false }, 'json': { type: 'string' }, 'check': { type: 'boolean', default: false },
    'no-install': { type: 'boolean', default: false }, 'help': { type: 'boolean', short: 'h', default: false },
  });
}
