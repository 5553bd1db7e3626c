/*
 * `npm run bench:synth`: how long a program takes that synthesizes 10, 100 and 1,000 applications. See USAGE for its flags. Progress goes to stderr, the
 * report to stdout.
 */
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { terminalProgress } from '../../local-cluster/index.ts';
import { run } from '../../local-cluster/run.ts';
import { runBenchmark } from '../benchmark.ts';
import type { MachineFacts } from '../machine.ts';
import type { Told } from './inside.ts';
import type { Figures, Run, SizeFigures } from './measurements.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { exitCode, GOAL, judge, render } from './report.ts';

const SIZES = [10, 100, GOAL.applications];

const progress = terminalProgress();

async function measure({ runs: count }: Options, machine: MachineFacts): Promise<Figures> {
  // Once before, so that the modules are in the machine's cache of files.
  await synthesize(1);
  const sizes: SizeFigures[] = [];
  for (const applications of SIZES) {
    const runs: Run[] = [];
    for (let index = 1; index <= count; index++) runs.push(await progress.step(`${applications} applications, run ${index} of ${count}`, () => synthesize(applications)));
    sizes.push({ applications, runs });
    progress.note(`… ${applications} applications: ${runs.map(({ whole }) => `${(whole / 1000).toFixed(2)} s`).join(', ')}`);
  }
  return { machine, sizes };
}

async function synthesize(applications: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-synth-'));
  try {
    const started = performance.now();
    const output = await run(process.execPath, [join(import.meta.dirname, 'inside.ts'), String(applications), folder], { purpose: `synthesize ${applications} applications` });
    const whole = performance.now() - started;
    const size = globSync('*.yaml', { cwd: folder }).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    return { whole, ...JSON.parse(output) as Told, size };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await runBenchmark({ usage: USAGE, parseOptions, measure, judge, render, exitCode }, progress);
