/*
 * `npm run bench:submission`: what a native submission costs, beside a bare client that makes the same calls and beside Spark's own JVM, measured against
 * a real API server. See USAGE for its flags. Progress goes to stderr, the report to stdout.
 */
import { join } from 'node:path';
import { terminalProgress } from '../local-cluster/index.ts';
import { runBenchmark } from './benchmark.ts';
import { ClusterRun } from './cluster-run.ts';
import type { Task } from './inside.ts';
import { measureJvm } from './jvm.ts';
import type { MachineFacts } from './machine.ts';
import type { ClusterFigures, Figures } from './measurements.ts';
import { parseOptions, USAGE, WARM_UP, type Options } from './options.ts';
import { BUNDLE, ProfiledBundle } from './profiled-bundle.ts';
import { exitCode, judge, render } from './report.ts';

const progress = terminalProgress();
const cluster = new ClusterRun('bench', progress);

async function measure(options: Options, machine: MachineFacts): Promise<Figures> {
  // Before there is a cluster, which would take processors away from it.
  const jvm = options.jvm ? await measureJvm(options.install, progress) : undefined;
  return { machine, applications: options.applications, workers: options.workers, cluster: await measureInCluster(options), jvm };
}

async function measureInCluster({ applications, workers, profile, install }: Options): Promise<ClusterFigures> {
  const profiled = profile ? new ProfiledBundle('bench-submission') : undefined;
  const figures = await cluster.measure<Task, ClusterFigures>(join(import.meta.dirname, 'inside.ts'), {
    applications, workers, warmUp: WARM_UP, bundle: profiled?.bundle ?? BUNDLE, profile: profiled?.profile,
  }, install);
  return { ...figures, profile: profiled?.read() };
}

await runBenchmark({ usage: USAGE, parseOptions, measure, judge, render, exitCode }, progress);
