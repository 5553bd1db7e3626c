/*
 * `npm run bench:submission`: what a native submission costs, beside a bare client that makes the same calls and beside Spark's own JVM, measured against
 * a real API server. See USAGE for its flags. Progress goes to stderr, the report to stdout.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileIfChanged } from '../build/compile.ts';
import { formatError, terminalProgress } from '../local-cluster/index.ts';
import { ClusterRun, root } from './cluster-run.ts';
import type { Task } from './inside.ts';
import { measureJvm } from './jvm.ts';
import { machineFacts } from './machine.ts';
import type { ClusterFigures, Figures } from './measurements.ts';
import { parseOptions, USAGE, WARM_UP, type Options } from './options.ts';
import { BUNDLE, ProfiledBundle } from './profiled-bundle.ts';
import { exitCode, judge, render } from './report.ts';

const progress = terminalProgress();
const cluster = new ClusterRun('bench', progress);

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(USAGE);
    return 0;
  }
  const machine = machineFacts();
  if (machine.load > machine.cores / 4) progress.note(`The load average is ${machine.load.toFixed(2)}: what else is running makes the figures doubtful.`);
  await progress.step('compiling', async () => compileIfChanged(root));
  // Before there is a cluster, which would take processors away from it.
  const jvm = options.jvm ? await measureJvm(options.install, progress) : undefined;
  const figures: Figures = { machine, applications: options.applications, workers: options.workers, cluster: await measureInCluster(options), jvm };
  const verdict = judge(figures);
  console.log(render(figures));
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...figures, verdict }, undefined, 2)}\n`);
  return exitCode(verdict, options);
}

async function measureInCluster({ applications, workers, profile, install }: Options): Promise<ClusterFigures> {
  const profiled = profile ? new ProfiledBundle('bench-submission') : undefined;
  const figures = await cluster.measure<Task, ClusterFigures>(join(import.meta.dirname, 'inside.ts'), {
    applications, workers, warmUp: WARM_UP, bundle: profiled?.bundle ?? BUNDLE, profile: profiled?.profile,
  }, install);
  return { ...figures, profile: profiled?.read() };
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
