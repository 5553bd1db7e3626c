/*
 * `npm run bench:scheduled`: many schedules that are due at the same minute, with a real control plane: how long after it their runs are there. See USAGE for
 * its flags. Progress goes to stderr, the report to stdout.
 */
import { join } from 'node:path';
import { terminalProgress } from '../../local-cluster/index.ts';
import { runBenchmark } from '../benchmark.ts';
import { ClusterRun } from '../cluster-run.ts';
import type { MachineFacts } from '../machine.ts';
import { BUNDLE, ProfiledBundle } from '../profiled-bundle.ts';
import type { Task } from './inside.ts';
import type { Figures, MinuteFigures } from './measurements.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { exitCode, judge, render } from './report.ts';

const progress = terminalProgress();
const cluster = new ClusterRun('bench-scheduled', progress);

async function measure({ install, profile, schedules, workers }: Options, machine: MachineFacts): Promise<Figures> {
  const profiled = profile ? new ProfiledBundle('bench-scheduled') : undefined;
  const figures = await cluster.measure<Task, MinuteFigures>(join(import.meta.dirname, 'inside.ts'), { schedules, workers, bundle: profiled?.bundle ?? BUNDLE, profile: profiled?.profile }, install);
  return { machine, schedules, workers, cluster: { ...figures, profile: profiled?.read() } };
}

await runBenchmark({ usage: USAGE, parseOptions, measure, judge, render, exitCode }, progress);
