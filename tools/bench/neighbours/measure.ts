import { join } from 'node:path';
import type { Progress } from '../../local-cluster/index.ts';
import { ClusterRun } from '../cluster-run.ts';
import type { MachineFacts } from '../machine.ts';
import { BUNDLE } from '../profiled-bundle.ts';
import type { Task } from './inside.ts';
import type { NeighboursFigures, NeighboursRun } from './measurements.ts';
import type { Options } from './options.ts';

/** Measures a quiet namespace beside a flooding one, on a control plane of its own. Everything has to be compiled before. */
export async function measureNeighbours(
  { applications, huge, aloneSeconds, workers, install }: Omit<Options, 'json' | 'check'>, machine: MachineFacts, progress: Progress,
): Promise<NeighboursFigures> {
  const run = await new ClusterRun('bench-neighbours', progress, { scale: true }).measure<Task, NeighboursRun>(join(import.meta.dirname, 'inside.ts'), {
    applications, huge, aloneSeconds, workers, bundle: BUNDLE,
  }, install);
  return { ...run, machine, workers };
}
