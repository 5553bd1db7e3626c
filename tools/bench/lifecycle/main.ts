/*
 * `npm run bench:lifecycle`: many applications at once on their way from creation to COMPLETED, with a real control plane and simulated nodes: rate,
 * latencies, and what the operator needs for it. See USAGE for its flags. Progress goes to stderr, the report to stdout.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileIfChanged } from '../../build/compile.ts';
import { formatError, obtainKwok, terminalProgress } from '../../local-cluster/index.ts';
import { ClusterRun, root } from '../cluster-run.ts';
import { machineFacts } from '../machine.ts';
import { BUNDLE, ProfiledBundle } from '../profiled-bundle.ts';
import type { Task } from './inside.ts';
import type { Figures, LifecycleFigures } from './measurements.ts';
import { parseOptions, USAGE, WARM_UP, type Options } from './options.ts';
import { exitCode, judge, render } from './report.ts';

const progress = terminalProgress();
const cluster = new ClusterRun('bench-lifecycle', progress);

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(USAGE);
    return 0;
  }
  const machine = machineFacts();
  if (machine.load > machine.cores / 4) progress.note(`The load average is ${machine.load.toFixed(2)}: what else is running makes the figures doubtful.`);
  await progress.step('compiling', async () => compileIfChanged(root));
  const { applications, executors, driverSeconds, startSeconds, workers } = options;
  const figures: Figures = { machine, applications, executors, driverSeconds, startSeconds, workers, cluster: await measureInCluster(options) };
  const verdict = judge(figures);
  console.log(render(figures));
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...figures, verdict }, undefined, 2)}\n`);
  return exitCode(verdict, options);
}

async function measureInCluster({ install, profile, ...options }: Options): Promise<LifecycleFigures> {
  const kwok = await obtainKwok({ install, progress });
  const profiled = profile ? new ProfiledBundle('bench-lifecycle') : undefined;
  const figures = await cluster.measure<Task, LifecycleFigures>(join(import.meta.dirname, 'inside.ts'), {
    ...options, kwok, warmUp: WARM_UP, bundle: profiled?.bundle ?? BUNDLE, profile: profiled?.profile,
  }, install);
  return { ...figures, profile: profiled?.read() };
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
