import { join } from 'node:path';
import type { Progress } from '../../local-cluster/index.ts';
import { ClusterRun } from '../cluster-run.ts';
import type { MachineFacts } from '../machine.ts';
import { BUNDLE } from '../profiled-bundle.ts';
import type { Task } from './inside.ts';
import type { NeighboursFigures, NeighboursRun } from './measurements.ts';
import type { Options } from './options.ts';

/** Measures a quiet namespace beside a flooding one, on a control plane of its own. */
export async function measureNeighbours(
  { applications, huge, aloneSeconds, workers, install }: Omit<Options, 'json' | 'check'>, machine: MachineFacts, progress: Progress,
): Promise<NeighboursFigures> {
  const cluster = new ClusterRun('bench-neighbours', progress, { scale: true });
  const task: Task = { applications, huge, aloneSeconds, workers, bundle: BUNDLE };
  const run = await cluster.measure<Task, NeighboursRun>(join(import.meta.dirname, 'inside.ts'), task, install);
  return { ...run, machine, workers };
}
