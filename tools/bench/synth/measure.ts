import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../../local-cluster/index.ts';
import { run } from '../../local-cluster/run.ts';
import type { MachineFacts } from '../machine.ts';
import type { Told } from './inside.ts';
import type { Figures, Run, SizeFigures } from './measurements.ts';
import type { Options } from './options.ts';

const SIZES = [10, 100, 1000, 10_000];

/** Measures programs that synthesize applications, each a process of its own. The package has to be compiled. */
export async function measureSynth({ runs: count, most }: Pick<Options, 'runs' | 'most'>, machine: MachineFacts, progress: Progress): Promise<Figures> {
  // Once before, so that the modules are in the machine's cache of files.
  await synthesize(1);
  const sizes: SizeFigures[] = [];
  for (const applications of SIZES.filter((size) => size <= most)) {
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
