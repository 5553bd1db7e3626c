/*
 * `npm run bench`: all benchmarks that the report is made of, one after the other, and the report. See USAGE for its flags. Progress goes to stderr, the
 * main table to stdout; the report, its figures and its plots go into a folder.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { compileIfChanged } from '../build/compile.ts';
import { formatError, terminalProgress, ToolError } from '../local-cluster/index.ts';
import { CHECKED_IN, parseOptions, PROFILES, USAGE, type BenchOptions } from './bench-options.ts';
import { root } from './cluster-run.ts';
import { machineFacts } from './machine.ts';
import { partsFor } from './parts.ts';
import { benchMachine } from './report/bench-machine.ts';
import { PARTS, type BenchFigures } from './report/figures.ts';
import { goalsOf } from './report/goals.ts';
import { mergeProfiles, profilesOf } from './report/profiles.ts';
import { BENCHMARKS_PAGE, withTable } from './report/benchmarks-page.ts';
import { unexplained } from './report/remarks.ts';
import { renderReport } from './report/report.ts';
import { goalRow, renderRows, type Row } from './report.ts';
import { runParts, type Outcome } from './run-parts.ts';
import { versionOf } from './version.ts';

/** What people have to say, in the folder of a report. */
const REMARKS = 'remarks.md';

const progress = terminalProgress();

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(USAGE);
    return 0;
  }
  const out = resolve(root, options.out);
  const figures = options.render ? read(out) : await measure(options, out);
  write(out, figures);
  if (options.keepProfiles) keepProfiles(figures);
  console.log(renderRows(mainTable(figures)).join('\n'));
  console.log(`\nThe report: ${relative(process.cwd(), join(out, 'report.md'))}`);
  for (const { part, reason } of figures.failures) console.log(`The part ${part} failed: ${reason}`);
  const goals = goalsOf(figures);
  const missed = goals.some(({ met }) => !met);
  const open = figures.quick || figures.profiled ? [] : unexplained(goals, remarksIn(out));
  if (open.length > 0) console.log(`${relative(process.cwd(), join(out, REMARKS))} does not say why this was missed, each under a heading of its name: ${open.join(', ')}`);
  return figures.failures.length > 0 || (options.check && missed) ? 1 : 0;
}

async function measure(options: BenchOptions, out: string): Promise<BenchFigures> {
  const facts = machineFacts();
  const machine = benchMachine();
  const before = options.merge ? read(out) : undefined;
  if (before && (before.quick !== options.quick || before.profiled !== options.profile || JSON.stringify(before.machine) !== JSON.stringify(machine))) {
    throw new ToolError(`the figures in ${options.out} are of another machine, of other versions of what is not ours, or of another kind of run`, 'Run all parts, or leave out --merge.');
  }
  if (facts.load > facts.cores / 4) progress.note(`The load average is ${facts.load.toFixed(2)}: what else is running makes the figures doubtful.`);
  await progress.step('compiling', async () => compileIfChanged(root));
  const ran = (part: string) => (options.only as readonly string[]).includes(part);
  const version = versionOf(root);
  const other = Object.entries(before?.parts ?? {}).find(([part, measured]) => !ran(part) && measured.version !== version);
  if (other) throw new ToolError(`the figures of ${other[0]} in ${options.out} are of another version of the operator or of the constructs: ${other[1].version} instead of ${version}`, `Run ${other[0]}, too, or leave out --merge.`);
  const together = ({ parts, failures }: Outcome): BenchFigures => ({
    quick: options.quick, profiled: options.profile, machine,
    parts: { ...Object.fromEntries(Object.entries(before?.parts ?? {}).filter(([part]) => !ran(part))), ...parts },
    failures: [...(before?.failures ?? []).filter(({ part }) => !ran(part)), ...failures],
  });
  return together(await runParts(partsFor(options), { progress, now: Date.now, version, root, keep: (soFar) => void writeFigures(out, together(soFar)) }));
}

function read(out: string): BenchFigures {
  const file = join(out, 'figures.json');
  if (!existsSync(file)) throw new ToolError(`there are no figures in ${relative(root, out)}`, 'Measure first, or say where they are with --out.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @returns them as they come out of the file: that is what must be in the report, and JSON knows no NaN */
function writeFigures(out: string, measured: BenchFigures): BenchFigures {
  const json = `${JSON.stringify(measured, undefined, 1)}\n`;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'figures.json'), json);
  return JSON.parse(json);
}

function write(out: string, measured: BenchFigures): void {
  const figures = writeFigures(out, measured);
  const [profiles, folder] = [join(out, PROFILES), join(out, 'plots')];
  const { text, plots } = renderReport(figures, remarksIn(out), existsSync(profiles) ? JSON.parse(readFileSync(profiles, 'utf8')) : undefined);
  writeFileSync(join(out, 'report.md'), text);
  mkdirSync(folder, { recursive: true });
  for (const stale of globSync('*.svg', { cwd: folder })) rmSync(join(folder, stale));
  for (const { name, svg } of plots) writeFileSync(join(folder, `${name}.svg`), svg);
  if (out === join(root, CHECKED_IN)) writePage(figures, remarksIn(out));
}

/** What people have to say. */
function remarksIn(out: string): string {
  const file = join(out, REMARKS);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Puts where the time goes beside the report that is checked in. */
function keepProfiles(figures: BenchFigures): void {
  const profiles = profilesOf(figures);
  if (!profiles) throw new ToolError('no part made a profile, so that there is none to keep', 'Submission and population do: see the progress above for what became of them.');
  mkdirSync(join(root, CHECKED_IN), { recursive: true });
  const file = join(root, CHECKED_IN, PROFILES);
  const together = mergeProfiles(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined, profiles);
  writeFileSync(file, `${JSON.stringify(together, undefined, 1)}\n`);
}

function writePage(figures: BenchFigures, remarks: string): void {
  // A goal whose part is missing must not look like one that is met.
  if (figures.quick || figures.profiled || figures.failures.length > 0 || !PARTS.every((part) => figures.parts[part])) {
    progress.note(`${BENCHMARKS_PAGE} keeps its table: this is no whole run.`);
    return;
  }
  const file = join(root, BENCHMARKS_PAGE);
  const page = withTable(readFileSync(file, 'utf8'), figures, remarks);
  if (page === undefined) throw new ToolError(`${BENCHMARKS_PAGE} has no place for the table`, 'Put <!-- bench:begin --> and <!-- bench:end --> where it is to be; npm run bench -- --render writes it then.');
  writeFileSync(file, page);
}

function mainTable(figures: BenchFigures): Row[] {
  return goalsOf(figures).map(goalRow);
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
