/* `npm run bench`: measures scenarios, and writes figures and the table of docs/explain/benchmarks.md. See USAGE. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileIfChanged } from '../build/compile.ts';
import { formatError, KUBERNETES_VERSION, obtainKwok, terminalProgress, ToolError } from '../local-cluster/index.ts';
import { inCluster, root, type ClusterOptions } from './cluster.ts';
import { SCENARIOS, type Figures, type FiguresFile, type Measured, type Scenario } from './figures.ts';
import { goalsOf, WEBHOOK_RATE } from './goals.ts';
import { PAGE, tableOf, withTable } from './page.ts';
import { measureMachine, slowness, worseOf } from './speed.ts';
import { synth } from './scenarios/synth.ts';
import { webhook } from './scenarios/webhook.ts';
import { obtainSpark, SPARK_VERSION } from './submission/spark-submit.ts';

const [CHECKED_IN, ASIDE] = ['bench/figures.json', 'test-reports/bench.json'];

const USAGE = `npm run bench [-- flags]

  --only NAMES       measure these scenarios, separated by commas: ${SCENARIOS.join(', ')} (default: all, for about an hour)
  --quick            small sizes and short times, for about 10 minutes; not enough for the goals
  --checkout FOLDER  measure another compiled checkout of this repository
  --out FILE         write the figures here; scenarios that do not run are kept
                     (default ${CHECKED_IN}; with --quick, --checkout, --rate or --cpu-prof ${ASIDE})
  --rate N           reviews a second of the scenario webhook (default ${WEBHOOK_RATE}, at most 20000)
  --cpu-prof         write CPU profiles of the operator next to the figures; it is slower meanwhile
  --check            exit with code 1 if a goal is missed
  --table            measure nothing; write the table of ${PAGE} from ${CHECKED_IN}
  --no-install       do not install missing system packages`;

interface Options {
  readonly only: readonly Scenario[];
  readonly quick: boolean;
  readonly checkout: string;
  readonly out: string;
  readonly rate: number;
  readonly cpuProf: boolean;
  readonly check: boolean;
  readonly table: boolean;
  readonly install: boolean;
}

const progress = terminalProgress();

/** @throws ToolError for a wrong command line */
function parseOptions(args: readonly string[]): Options | 'help' {
  const values = parseFlags(args);
  if (values.help) return 'help';
  const names = (values.only ?? SCENARIOS.join(',')).split(',').map((name) => name.trim());
  const unknown = names.find((name) => !SCENARIOS.includes(name as Scenario));
  if (unknown !== undefined) {
    throw new ToolError(`--only=${values.only}: there is no scenario "${unknown}"`, `The scenarios are ${SCENARIOS.join(', ')}.`);
  }
  const rate = Number(values.rate ?? WEBHOOK_RATE);
  const isRate = Number.isInteger(rate) && rate >= 1 && rate <= 20_000;
  if (!isRate) throw new ToolError(`--rate=${values.rate} is not a whole number from 1 to 20000`, `Leave it out for ${WEBHOOK_RATE}.`);
  const isAside = values.quick || values.checkout !== undefined || values.rate !== undefined || values['cpu-prof'];
  return {
    only: SCENARIOS.filter((name) => names.includes(name)), quick: values.quick, checkout: resolve(values.checkout ?? root),
    out: resolve(values.out ?? join(root, isAside ? ASIDE : CHECKED_IN)), rate, cpuProf: values['cpu-prof'], check: values.check,
    table: values.table, install: !values['no-install'],
  };
}

function parseFlags(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        'only': text, 'quick': flag, 'checkout': text, 'out': text, 'rate': text, 'cpu-prof': flag, 'check': flag, 'table': flag,
        'no-install': flag, 'help': { ...flag, short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new ToolError((error as Error).message, 'Run it with --help for the flags.');
  }
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(USAGE);
    return 0;
  }
  if (options.table) {
    writePage(read(join(root, CHECKED_IN)));
    return 0;
  }
  if (options.checkout === root) await progress.step('compiling', async () => compileIfChanged(root));
  let failed = false;
  for (const scenario of options.only) {
    await measure(scenario, options).catch((error: unknown) => {
      failed = true;
      progress.note(`${scenario} failed: ${formatError(error)}`);
    });
  }
  const file = read(options.out);
  if (!failed && options.out === join(root, CHECKED_IN)) writePage(file);
  const goals = goalsOf(file);
  console.log(tableOf(goals).join('\n'));
  for (const [scenario, { doubts }] of Object.entries(file.scenarios)) {
    for (const doubt of doubts) console.log(`doubtful (${scenario}): ${doubt}`);
  }
  console.log(`\nThe figures: ${relative(process.cwd(), options.out)}`);
  return failed || (options.check && goals.some(({ met }) => !met)) ? 1 : 0;
}

/** Measures a scenario, and puts its figures in place of the former ones. */
async function measure(scenario: Scenario, options: Options): Promise<void> {
  const { checkout, out } = options;
  const started = Date.now();
  const [cores, load, processor] = [availableParallelism(), loadavg()[0]!, cpus()[0]?.model.trim() ?? 'unknown'];
  progress.note(`${scenario}, since ${new Date(started).toISOString().slice(11, 19)}`);
  const machine = await measureMachine();
  for (const reason of slowness({ machine, load, cores }, read(out).fastest?.[processor])) progress.note(`the machine is slow: ${reason}`);
  const { figures, doubts } = await figuresOf(scenario, options);
  const afterwards = await measureMachine();
  const measured: Measured = {
    day: new Date(started).toISOString().slice(0, 10), seconds: Math.round((Date.now() - started) / 1000),
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: checkout, encoding: 'utf8' }).trim(),
    processor, cores, load: Math.round(load * 100) / 100, machine: worseOf(machine, afterwards),
    doubts,
    figures,
  };
  const file = read(out);
  const versions = { node: process.versions.node, kubernetes: KUBERNETES_VERSION, spark: SPARK_VERSION };
  mkdirSync(dirname(out), { recursive: true });
  const fastest = { ...file.fastest, [processor]: Math.max(file.fastest?.[processor] ?? 0, machine.loops, afterwards.loops) };
  writeFileSync(out, `${JSON.stringify({ versions, fastest, scenarios: { ...file.scenarios, [scenario]: measured } }, undefined, 1)}\n`);
}

async function figuresOf(
  scenario: Scenario, { quick, checkout, install, rate, cpuProf, out }: Options,
): Promise<{ figures: Figures[Scenario]; doubts: readonly string[] }> {
  const task = { scenario, quick, checkout, ...(cpuProf && { cpuProf: dirname(out) }) };
  const cluster = (minutes: number, scale: boolean): ClusterOptions => ({ minutes, scale, install, progress });
  switch (scenario) {
    case 'submission': return inCluster({ ...task, scenario, jars: await obtainSpark(install, progress) }, cluster(15, false));
    case 'paces':
    case 'population':
    case 'finished': {
      const kwok = await obtainKwok({ install, progress });
      return inCluster({ ...task, scenario, kwok }, cluster(quick ? 10 : 75, true));
    }
    case 'neighbours': return inCluster({ ...task, scenario }, cluster(quick ? 15 : 40, true));
    case 'scheduled': return inCluster({ ...task, scenario }, cluster(15, false));
    case 'webhook': return webhook({ rate, seconds: quick ? 5 : 30, checkout }, progress);
    case 'synth': return { figures: await synth({ quick, checkout }, progress), doubts: [] };
  }
}

/** Reads a file of figures; one without scenarios if it does not exist. */
function read(path: string): FiguresFile {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  return { versions: { node: process.versions.node, kubernetes: KUBERNETES_VERSION, spark: SPARK_VERSION }, scenarios: {} };
}

function writePage(file: FiguresFile): void {
  const path = join(root, PAGE);
  const page = withTable(readFileSync(path, 'utf8'), file);
  if (page === undefined) throw new ToolError(`${PAGE} has no place for the table`, 'Add <!-- bench:begin --> and <!-- bench:end -->.');
  writeFileSync(path, page);
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
