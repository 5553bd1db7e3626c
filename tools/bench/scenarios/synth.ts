import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../../local-cluster/index.ts';
import { run } from '../../local-cluster/run.ts';
import type { Figures } from '../figures.ts';

const SIZES = { full: [10, 100, 1000, 10_000], quick: [10, 100, 1000] } as const;

/** Programs that synthesize applications, each a process of its own; the result is the median run. */
export async function synth(
  { quick, checkout }: { readonly quick: boolean; readonly checkout: string }, progress: Progress,
): Promise<Figures['synth']> {
  await synthesize(checkout, 1); // reads the modules from the disk
  const figures: Figures['synth'][number][] = [];
  for (const applications of SIZES[quick ? 'quick' : 'full']) {
    const runs: Figures['synth'][number][] = [];
    for (let index = 0; index < (quick ? 1 : 3); index++) {
      runs.push(await progress.step(`synthesizing ${applications} applications`, () => synthesize(checkout, applications)));
    }
    figures.push(runs.sort((a, b) => a.whole - b.whole)[Math.floor((runs.length - 1) / 2)]!);
  }
  return figures;
}

async function synthesize(checkout: string, applications: number): Promise<Figures['synth'][number]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-synth-'));
  const program = join(import.meta.dirname, '../synth/program.ts');
  try {
    const started = performance.now();
    const args = [program, String(applications), folder, checkout];
    const memory = await run(process.execPath, args, { purpose: `synthesize ${applications} applications` });
    const whole = performance.now() - started;
    const bytes = globSync('*.yaml', { cwd: folder }).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    return { applications, whole, memory: Number(memory), bytes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
