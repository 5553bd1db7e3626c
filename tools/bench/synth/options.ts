import { parseArgs } from 'node:util';
import { ToolError } from '../../local-cluster/errors.ts';
import { wholeNumber } from '../options.ts';

/** What a run of the benchmark is told. */
export interface Options {
  /** How often each number of applications is synthesized; the run in the middle counts. */
  readonly runs: number;
  /** Where to write the report as JSON, too. */
  readonly json?: string;
  /** Whether a goal that is missed makes the run fail. */
  readonly check: boolean;
}

const MAX_RUNS = 50;

export const USAGE = `npm run bench:synth [-- flags]

  --runs N     how often to synthesize each number of applications (default 3, at most ${MAX_RUNS}); the run in the middle counts
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
  return { runs: wholeNumber('runs', values.runs, MAX_RUNS), json: values.json, check: values.check };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        runs: { type: 'string', default: '3' }, json: { type: 'string' }, check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new ToolError((error as Error).message, 'Run it with --help for the flags.');
  }
}
