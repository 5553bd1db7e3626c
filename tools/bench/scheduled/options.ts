import { parseFlags, wholeNumber } from '../options.ts';

/** What a run of the benchmark is told. */
export interface Options {
  /** Schedules that are due at the same minute. */
  readonly schedules: number;
  /** Schedules that the operator works on at the same time. */
  readonly workers: number;
  /** Whether the operator's CPU time is taken apart. */
  readonly profile: boolean;
  /** Where to write the report as JSON, too. */
  readonly json?: string;
  /** Whether a goal that is missed makes the run fail. */
  readonly check: boolean;
  /** Whether missing Debian packages may be installed. */
  readonly install: boolean;
}

const MOST = { schedules: 10_000, workers: 64 } as const;

export const USAGE = `npm run bench:scheduled [-- flags]

  --schedules N    ScheduledSparkApplications that are due at the same minute (default 2000, at most ${MOST.schedules})
  --workers N      schedules, and applications, that the operator works on at the same time (default 10, as the operator's)
  --profile        tell where the operator's CPU time goes; this makes it a little slower
  --json FILE      write the report as JSON, too
  --no-check       end with exit code 0 even if the goal is missed
  --no-install     do not install missing system packages`;

/**
 * Reads the command line.
 *
 * @throws ToolError for one that cannot be followed
 */
export function parseOptions(args: readonly string[]): Options | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  return {
    schedules: wholeNumber('schedules', values.schedules, MOST.schedules),
    workers: wholeNumber('workers', values.workers, MOST.workers),
    profile: values.profile,
    json: values.json,
    check: !values['no-check'],
    install: !values['no-install'],
  };
}

function parse(args: readonly string[]) {
  return parseFlags(args, {
    'schedules': { type: 'string', default: '2000' }, 'workers': { type: 'string', default: '10' }, 'profile': { type: 'boolean', default: false },
    'json': { type: 'string' }, 'no-check': { type: 'boolean', default: false }, 'no-install': { type: 'boolean', default: false }, 'help': { type: 'boolean', short: 'h', default: false },
  });
}
