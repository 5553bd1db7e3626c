import { parseFlags } from './options.ts';
import { ToolError } from '../local-cluster/errors.ts';
import { PARTS, type PartName } from './report/figures.ts';

/** What a run of all benchmarks is told. */
export interface BenchOptions {
  /** Whether sizes and times are small. */
  readonly quick: boolean;
  /** What runs. */
  readonly only: readonly PartName[];
  /** Where the report goes. */
  readonly out: string;
  /** Whether the figures of parts that do not run now are kept from the report that is there. */
  readonly merge: boolean;
  /** Whether the report is made anew of the figures that are there, and nothing is measured. */
  readonly render: boolean;
  /** Whether a goal that is missed makes the run fail. */
  readonly check: boolean;
  /** Whether the operator's CPU time is taken apart. */
  readonly profile: boolean;
  /** Whether what that finds is put beside the report that is checked in, too. */
  readonly keepProfiles: boolean;
  /** Whether missing Debian packages may be installed. */
  readonly install: boolean;
}

/** The folder whose report is checked in. */
export const CHECKED_IN = 'bench';
/** Where the operator's CPU time goes, in the folder of a report. */
export const PROFILES = 'profiles.json';
/** For what is not a whole run, or not of what ships. */
const ASIDE = 'test-reports/bench';

export const USAGE = `npm run bench [-- flags]

  --quick         small sizes and short times: about 7 minutes in all instead of 50 to 55, and not enough for the goals
  --only NAMES    run these parts, separated by commas: ${PARTS.join(', ')} (default: all)
  --out FOLDER    where to write report.md, figures.json and plots/ (default ${CHECKED_IN}; with --quick, --only or --profile ${ASIDE}, as what is in ${CHECKED_IN} is checked in)
  --merge         keep the figures of the parts that do not run now, from FOLDER/figures.json
  --render        measure nothing; make the report anew of FOLDER/figures.json (default ${CHECKED_IN})
  --profile       tell where the operator's CPU time goes; this makes it slower, so that the figures are none for the goals
  --keep-profiles the same, and put it into ${CHECKED_IN}/${PROFILES}, which the report in ${CHECKED_IN} shows (--render makes it anew)
  --check         end with exit code 1 if a goal is missed, after the report (without it: 0; a part that fails: 1)
  --no-install    do not install missing system packages

What people have to say of the figures stands in FOLDER/remarks.md, and gets into the report: why a goal was missed, under a heading of its name (### Status writes). With --out ${CHECKED_IN} the table of docs/benchmarks.md is written, too.`;

/**
 * Reads the command line.
 *
 * @throws ToolError for one that cannot be followed
 */
export function parseOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const { quick, merge, render, check } = values;
  const keepProfiles = values['keep-profiles'];
  const profile = values.profile || keepProfiles;
  const only = values.only === undefined ? PARTS : partsOf(values.only);
  const out = values.out ?? (quick || profile || only.length < PARTS.length ? ASIDE : CHECKED_IN);
  return { quick, only, out, merge, render, check, profile, keepProfiles, install: !values['no-install'] };
}

function partsOf(text: string): PartName[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !PARTS.includes(name as PartName));
  if (unknown !== undefined) throw new ToolError(`--only=${text}: there is no part "${unknown}"`, `The parts are ${PARTS.join(', ')}.`);
  return PARTS.filter((part) => names.includes(part));
}

function parse(args: readonly string[]) {
  return parseFlags(args, {
    'quick': { type: 'boolean', default: false }, 'only': { type: 'string' }, 'out': { type: 'string' }, 'merge': { type: 'boolean', default: false },
    'render': { type: 'boolean', default: false }, 'check': { type: 'boolean', default: false }, 'profile': { type: 'boolean', default: false },
    'keep-profiles': { type: 'boolean', default: false }, 'no-install': { type: 'boolean', default: false }, 'help': { type: 'boolean', short: 'h', default: false },
  });
}
