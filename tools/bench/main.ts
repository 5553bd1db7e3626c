/*
 * `npm run bench`: all benchmarks that the report is made of, one after the other, and the report. See USAGE for its flags. Progress goes to stderr, the
 * main table to stdout; the report, its figures and its plots go into a folder.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { compileIfChanged } from '../build/compile.ts';
import { formatError, terminalProgress, ToolError } from '../local-cluster/index.ts';
import { CHECKED_IN, parseOptions, USAGE, type BenchOptions } from './bench-options.ts';
import { root } from './cluster-run.ts';
import { machineFacts } from './machine.ts';
import { partsFor } from './parts.ts';
import { benchMachine } from './report/bench-machine.ts';
import { PARTS, type BenchFigures } from './report/figures.ts';
import { goalsOf } from './report/goals.ts';
import { withTable } from './report/readme.ts';
import { renderReport } from './report/report.ts';
import { renderRows, type Row } from './report.ts';
import { runParts, type Outcome } from './run-parts.ts';

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
  console.log(renderRows(mainTable(figures)).join('\n'));
  console.log(`\nThe report: ${relative(process.cwd(), join(out, 'report.md'))}`);
  for (const { part, reason } of figures.failures) console.log(`The part ${part} failed: ${reason}`);
  const missed = goalsOf(figures).some(({ met }) => !met);
  return figures.failures.length > 0 || (options.check && missed) ? 1 : 0;
}

async function measure(options: BenchOptions, out: string): Promise<BenchFigures> {
  const facts = machineFacts();
  const machine = benchMachine();
  const before = options.merge ? read(out) : undefined;
  if (before && (before.quick !== options.quick || JSON.stringify(before.machine) !== JSON.stringify(machine))) {
    throw new ToolError(`the figures in ${options.out} are of another machine, of other versions, or of another kind of run`, 'Run all parts, or leave out --merge.');
  }
  if (facts.load > facts.cores / 4) progress.note(`The load average is ${facts.load.toFixed(2)}: what else is running makes the figures doubtful.`);
  await progress.step('compiling', async () => compileIfChanged(root));
  const ran = (part: string) => (options.only as readonly string[]).includes(part);
  const together = ({ parts, failures }: Outcome): BenchFigures => ({
    quick: options.quick, machine,
    parts: { ...Object.fromEntries(Object.entries(before?.parts ?? {}).filter(([part]) => !ran(part))), ...parts },
    failures: [...(before?.failures ?? []).filter(({ part }) => !ran(part)), ...failures],
  });
  return together(await runParts(partsFor(options), { progress, now: Date.now, root, keep: (soFar) => void writeFigures(out, together(soFar)) }));
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
  const [remarks, folder] = [join(out, 'remarks.md'), join(out, 'plots')];
  const { text, plots } = renderReport(figures, existsSync(remarks) ? readFileSync(remarks, 'utf8') : '');
  writeFileSync(join(out, 'report.md'), text);
  mkdirSync(folder, { recursive: true });
  for (const stale of globSync('*.svg', { cwd: folder })) rmSync(join(folder, stale));
  for (const { name, svg } of plots) writeFileSync(join(folder, `${name}.svg`), svg);
  if (out === join(root, CHECKED_IN)) writeReadme(figures);
}

function writeReadme(figures: BenchFigures): void {
  // A goal whose part is missing must not look like one that is met.
  if (figures.quick || figures.failures.length > 0 || !PARTS.every((part) => figures.parts[part])) {
    progress.note('README.md keeps its table: this is no whole run.');
    return;
  }
  const file = join(root, 'README.md');
  const readme = withTable(readFileSync(file, 'utf8'), figures);
  if (readme === undefined) throw new ToolError('README.md has no place for the table', 'Put <!-- bench:begin --> and <!-- bench:end --> where it is to be; npm run bench -- --render writes it then.');
  writeFileSync(file, readme);
}

function mainTable(figures: BenchFigures): Row[] {
  return goalsOf(figures).map(({ what, goal, measured, met }) => [what, measured, `${goal}: ${met ? 'met' : 'NOT MET'}`]);
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
