/*
 * `npm run bench:lifecycle`: many applications at once on their way from creation to COMPLETED, with a real control plane and simulated nodes: rate,
 * latencies, and what the operator needs for it. See USAGE for its flags. Progress goes to stderr, the report to stdout.
 */
import { join } from 'node:path';
import { obtainKwok, terminalProgress } from '../../local-cluster/index.ts';
import { runBenchmark } from '../benchmark.ts';
import { ClusterRun } from '../cluster-run.ts';
import type { MachineFacts } from '../machine.ts';
import { BUNDLE, ProfiledBundle } from '../profiled-bundle.ts';
import type { Task } from './inside.ts';
import type { Figures, LifecycleFigures } from './measurements.ts';
import { parseOptions, USAGE, WARM_UP, type Options } from './options.ts';
import { exitCode, judge, render } from './report.ts';

const progress = terminalProgress();
const cluster = new ClusterRun('bench-lifecycle', progress);

async function measure(options: Options, machine: MachineFacts): Promise<Figures> {
  const { applications, executors, driverSeconds, startSeconds, workers } = options;
  return { machine, applications, executors, driverSeconds, startSeconds, workers, cluster: await measureInCluster(options) };
}

async function measureInCluster({ install, profile, ...options }: Options): Promise<LifecycleFigures> {
  const kwok = await obtainKwok({ install, progress });
  const profiled = profile ? new ProfiledBundle('bench-lifecycle') : undefined;
  const figures = await cluster.measure<Task, LifecycleFigures>(join(import.meta.dirname, 'inside.ts'), {
    ...options, kwok, warmUp: WARM_UP, bundle: profiled?.bundle ?? BUNDLE, profile: profiled?.profile,
  }, install);
  return { ...figures, profile: profiled?.read() };
}

await runBenchmark({ usage: USAGE, parseOptions, measure, judge, render, exitCode }, progress);
