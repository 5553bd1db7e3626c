/*
 * `npm run bench:submission`: what a native submission costs, beside a bare client that makes the same calls and beside Spark's own JVM, measured against
 * a real API server. See USAGE for its flags. Progress goes to stderr, the report to stdout.
 */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compileIfChanged } from '../build/compile.ts';
import { down, formatError, spawnIn, status, stopCommands, terminalProgress, up } from '../local-cluster/index.ts';
import type { Message, Task } from './inside.ts';
import { measureJvm } from './jvm.ts';
import { machineFacts } from './machine.ts';
import type { ClusterFigures, Figures } from './measurements.ts';
import { parseOptions, USAGE, WARM_UP, type Options } from './options.ts';
import { summarize } from './profile.ts';
import { exitCode, judge, render } from './report.ts';

const root = join(import.meta.dirname, '../..');
const progress = terminalProgress();
/** Clusters of another checkout are left alone. */
const CLUSTER = `bench-${createHash('sha256').update(root).digest('hex').slice(0, 6)}`;
let inside: ChildProcess | undefined;
let started = false;

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
  const cluster = await measureInCluster(options);
  const figures: Figures = { machine, applications: options.applications, workers: options.workers, cluster, jvm };
  const verdict = judge(figures);
  console.log(render(figures));
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...figures, verdict }, undefined, 2)}\n`);
  return exitCode(verdict, options);
}

async function measureInCluster({ applications, workers, profile, install }: Options): Promise<ClusterFigures> {
  const files = profile ? prepareProfile() : undefined;
  started = true;
  try {
    await down({ name: CLUSTER, progress });
    await up({ name: CLUSTER, controlPlane: true, install, progress });
    const figures = await runInside({ applications, workers, warmUp: WARM_UP, bundle: files?.bundle ?? join(root, 'runtime/operator.cjs'), profile: files?.profile });
    if (!files) return figures;
    const summary = summarize(JSON.parse(readFileSync(files.profile, 'utf8')), { path: files.bundle, text: readFileSync(files.bundle, 'utf8') });
    return { ...figures, profile: { ...summary, file: relative(root, files.profile) } };
  } finally {
    await stop();
  }
}

/** A bundle with the names that are in the sources, for a profile that can be read. */
function prepareProfile(): { readonly bundle: string; readonly profile: string } {
  const folder = join(root, 'test-reports');
  const files = { bundle: join(folder, 'operator.cjs'), profile: join(folder, 'bench-submission.cpuprofile') };
  mkdirSync(folder, { recursive: true });
  rmSync(files.profile, { force: true });
  execFileSync(process.execPath, [join(root, 'tools/build/bundle.ts'), '--readable', folder], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return files;
}

/** The API server is only to be reached in the cluster's network. */
function runInside(task: Task): Promise<ClusterFigures> {
  return new Promise((resolve, reject) => {
    const child = inside = spawnIn(CLUSTER, [process.execPath, join(import.meta.dirname, 'inside.ts')], { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (message: Message) => {
      if ('progress' in message) progress.note(`… ${message.progress}`);
      else if ('figures' in message) resolve(message.figures);
      else reject(new Error(message.error));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`the part in the cluster ended with ${signal ?? code}`)));
    child.send(task);
  });
}

async function stop(): Promise<void> {
  inside?.kill('SIGTERM');
  if (started && (await status(CLUSTER)).exists) await down({ name: CLUSTER, progress });
}

for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
  process.once(signal, async () => {
    stopCommands();
    await stop().catch(() => undefined);
    process.exit(code);
  });
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
