import { parseFlags, wholeNumber } from '../options.ts';

/** Options of a run of the benchmark. */
export interface Options {
  /** Applications that the flooding namespace creates. */
  readonly applications: number;
  /** Those of them that are huge. */
  readonly huge: number;
  /** Seconds for which the quiet namespace is measured before the flood. */
  readonly aloneSeconds: number;
  /** Concurrent reconciles of the operator. */
  readonly workers: number;
  /** Where to write the report as JSON, too. */
  readonly json?: string;
  /** Whether a missed goal makes the run fail. */
  readonly check: boolean;
  /** Whether missing Debian packages can be installed. */
  readonly install: boolean;
}

const MOST = { applications: 20_000, huge: 1_000, workers: 64 } as const;

/** Sizes of a run, by `--quick`. */
const SIZES = {
  full: { applications: '10000', huge: '150', aloneSeconds: 30 },
  quick: { applications: '1000', huge: '15', aloneSeconds: 10 },
} as const;

export const USAGE = `npm run bench:neighbours [-- flags]

  --quick            a tenth of the applications: for about two minutes instead of fifteen, and not enough for the goals
  --applications N   applications that one namespace creates as fast as it can (default 10000, quick 1000; at most ${MOST.applications})
  --huge N           those of them that are huge: half have 1.3 MiB as JSON, half 0.2 MiB (default 150, quick 15; at most ${MOST.huge})
  --workers N        concurrent reconciles of the operator (default 10, as the operator's)
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
  const size = SIZES[values.quick ? 'quick' : 'full'];
  const applications = wholeNumber('applications', values.applications ?? size.applications, MOST.applications);
  return {
    applications,
    huge: wholeNumber('huge', values.huge ?? size.huge, Math.min(MOST.huge, applications - 1), 0),
    aloneSeconds: size.aloneSeconds,
    workers: wholeNumber('workers', values.workers, MOST.workers),
    json: values.json,
    check: values.check,
    install: !values['no-install'],
  };
}

function parse(args: readonly string[]) {
  return parseFlags(args, {
    'quick': { type: 'boolean', default: false }, 'applications': { type: 'string' }, 'huge': { type: 'string' }, 'workers': { type: 'string', default: '10' }, 'json': { type: 'string' },
    'check': { type: 'boolean', default: false }, 'no-install': { type: 'boolean', default: false }, 'help': { type: 'boolean', short: 'h', default: false },
  });
}
