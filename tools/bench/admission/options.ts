import { parseFlags, wholeNumber } from '../options.ts';
import { GOAL } from './goal.ts';

/** What a run of the benchmark is told. */
export interface Options {
  /** For how many seconds reviews are sent. */
  readonly seconds: number;
  /** Reviews a second. */
  readonly rate: number;
  /** Where to write the report as JSON, too. */
  readonly json?: string;
  /** Whether a goal that is missed makes the run fail. */
  readonly check: boolean;
}

const MAX_SECONDS = 3_600;
const MAX_RATE = 20_000;

export const USAGE = `npm run bench:admission [-- flags]

  --seconds N  for how long reviews are sent, after a warm-up (default ${GOAL.seconds})
  --rate N     reviews a second (default ${GOAL.rate})
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
  return { seconds: wholeNumber('seconds', values.seconds, MAX_SECONDS), rate: wholeNumber('rate', values.rate, MAX_RATE), json: values.json, check: values.check };
}

function parse(args: readonly string[]) {
  return parseFlags(args, {
    seconds: { type: 'string', default: String(GOAL.seconds) }, rate: { type: 'string', default: String(GOAL.rate) },
    json: { type: 'string' }, check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false },
  });
}
