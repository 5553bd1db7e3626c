import { writeFileSync } from 'node:fs';
import { compileIfChanged } from '../build/compile.ts';
import { formatError, type Progress } from '../local-cluster/index.ts';
import { root } from './cluster-run.ts';
import { machineFacts, type MachineFacts } from './machine.ts';

/** What all benchmarks are told. */
interface CommonOptions {
  /** Where to write the report as JSON, too. */
  readonly json?: string;
  /** Whether a goal that is missed makes the run fail. */
  readonly check: boolean;
}

/** What one benchmark does; the rest, `runBenchmark` does for all. */
export interface Benchmark<Options extends CommonOptions, Figures, Verdict> {
  readonly usage: string;
  parseOptions(args: readonly string[]): Options | 'help';
  measure(options: Options, machine: MachineFacts): Promise<Figures>;
  judge(figures: Figures): Verdict;
  render(figures: Figures): string;
  exitCode(verdict: Verdict, options: Options): number;
}

/** Runs a benchmark as a program: progress goes to stderr, the report to stdout, and the exit code tells how it went. */
export async function runBenchmark<Options extends CommonOptions, Figures extends object, Verdict>(
  benchmark: Benchmark<Options, Figures, Verdict>, progress: Progress,
): Promise<void> {
  process.exitCode = await main(benchmark, progress).catch((error: unknown) => {
    console.error(formatError(error));
    return 1;
  });
}

async function main<Options extends CommonOptions, Figures extends object, Verdict>(benchmark: Benchmark<Options, Figures, Verdict>, progress: Progress): Promise<number> {
  const options = benchmark.parseOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(benchmark.usage);
    return 0;
  }
  const machine = machineFacts();
  if (machine.load > machine.cores / 4) progress.note(`The load average is ${machine.load.toFixed(2)}: what else is running makes the figures doubtful.`);
  await progress.step('compiling', async () => compileIfChanged(root));
  const figures = await benchmark.measure(options, machine);
  const verdict = benchmark.judge(figures);
  console.log(benchmark.render(figures));
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...figures, verdict }, undefined, 2)}\n`);
  return benchmark.exitCode(verdict, options);
}
