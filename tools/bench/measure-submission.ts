import { join } from 'node:path';
import type { Progress } from '../local-cluster/index.ts';
import { ClusterRun } from './cluster-run.ts';
import type { Task } from './inside.ts';
import { obtainSpark } from './jvm.ts';
import type { MachineFacts } from './machine.ts';
import type { ClusterFigures, Figures } from './measurements.ts';
import { WARM_UP, type Options } from './options.ts';
import { BUNDLE, ProfiledBundle } from './profiled-bundle.ts';

/** What is measured, and how. */
export interface SubmissionOptions extends Omit<Options, 'json' | 'check'> {
  /** Applications before those that are measured. @default WARM_UP */
  readonly warmUp?: number;
}

/**
 * Measures what a native submission costs, on a control plane of its own. What is measured has to be compiled.
 *
 * @throws ToolError for what is missing on this machine
 */
export async function measureSubmission(options: SubmissionOptions, machine: MachineFacts, progress: Progress): Promise<Figures> {
  const { applications, warmUp = WARM_UP, workers, turns, profile, install, jvmRuns } = options;
  const jvm = jvmRuns > 0 ? { jars: await obtainSpark(install, progress), runs: jvmRuns } : undefined;
  const profiled = profile ? new ProfiledBundle('bench-submission') : undefined;
  const cluster = await new ClusterRun('bench', progress).measure<Task, ClusterFigures>(join(import.meta.dirname, 'inside.ts'), {
    applications, workers, turns, warmUp, bundle: profiled?.bundle ?? BUNDLE, jvm, profile: profiled?.profile,
  }, install);
  return { machine, applications, workers, cluster: { ...cluster, profile: profiled?.read() } };
}
