import { parseArgs } from 'node:util';
import { ToolError } from '../../local-cluster/errors.ts';
import { wholeNumber } from '../options.ts';

/** What a run of the benchmark is told. */
export interface Options {
  /** Applications that are created at once, after the warm-up. */
  readonly applications: number;
  /** Executors of each. */
  readonly executors: number;
  /** How long a driver runs, in seconds. */
  readonly driverSeconds: number;
  /** How long a driver runs before it creates its executors, in seconds. */
  readonly startSeconds: number;
  /** Applications that the operator works on at the same time. */
  readonly workers: number;
  /** After so many seconds all applications have to be through. */
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

/** Applications before those that are measured: connections are made and code is compiled by then. */
export const WARM_UP = 50;

const MOST = { 'applications': 5000, 'executors': 20, 'driver-seconds': 600, 'start-seconds': 600, 'workers': 64, 'deadline': 3600 } as const;

export const USAGE = `npm run bench:lifecycle [-- flags]

  --applications N    applications to create at once, after a warm-up of ${WARM_UP} (default 1000, at most ${MOST.applications})
  --executors N       executors of each (default 2, at most ${MOST.executors})
  --driver-seconds N  how long a driver runs (default 30)
  --start-seconds N   how long it runs before it creates its executors, as the JVM and Spark have to start (default 5)
  --workers N         applications that the operator works on at the same time (default 10, as the operator's)
  --deadline SECONDS  by then all applications have to be COMPLETED (default 300)
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
  const number = (flag: keyof typeof MOST, least = 1) => wholeNumber(flag, values[flag], MOST[flag], least);
  return {
    applications: number('applications'),
    executors: number('executors', 0),
    driverSeconds: number('driver-seconds'),
    startSeconds: number('start-seconds', 0),
    workers: number('workers'),
    deadline: number('deadline'),
    profile: values.profile,
    json: values.json,
    check: values.check,
    install: !values['no-install'],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'applications': { type: 'string', default: '1000' }, 'executors': { type: 'string', default: '2' }, 'driver-seconds': { type: 'string', default: '30' },
        'start-seconds': { type: 'string', default: '5' }, 'workers': { type: 'string', default: '10' }, 'deadline': { type: 'string', default: '300' },
        'profile': { type: 'boolean', default: false }, 'json': { type: 'string' }, 'check': { type: 'boolean', default: false },
        'no-install': { type: 'boolean', default: false }, 'help': { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new ToolError((error as Error).message, 'Run it with --help for the flags.');
  }
}
