import { parseFlags, wholeNumber } from '../options.ts';
import { GOAL } from './report.ts';

/** What a run of the benchmark is told. */
export interface Options {
  /** How often each number of applications is synthesized; the run in the middle counts. */
  readonly runs: number;
  /** Of the numbers of applications those up to this one are synthesized; at least the one that the goal is about. */
  readonly most: number;
  /** Where to write the report as JSON, too. */
  readonly json?: string;
  /** Whether a goal that is missed makes the run fail. */
  readonly check: boolean;
}

const MAX_RUNS = 50;
const MAX_APPLICATIONS = 10_000;

export const USAGE = `npm run bench:synth [-- flags]

  --runs N     how often to synthesize each number of applications (default 3, at most ${MAX_RUNS}); the run in the middle counts
  --most N     leave out more applications than that (default ${MAX_APPLICATIONS}, at least ${GOAL.applications})
  --json FILE  write the report as JSON, too
  --check      end with exit code 1 if the goal is missed, after the report (without it: 0)`;

/**
 * Reads the command line.
 *
 * @throws ToolError for one that cannot be followed
 */
export function parseOptions(args: readonly string[]): Options | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const most = wholeNumber('most', values.most, MAX_APPLICATIONS, GOAL.applications);
  return { runs: wholeNumber('runs', values.runs, MAX_RUNS), most, json: values.json, check: values.check };
}

function parse(args: readonly string[]) {
  return parseFlags(args, {
    runs: { type: 'string', default: '3' }, most: { type: 'string', default: String(MAX_APPLICATIONS) }, json: { type: 'string' }, check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false },
  });
}
