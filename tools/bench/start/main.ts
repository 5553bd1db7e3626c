/* `npm run bench:start`: how long a small application takes with and without the archive of `fastStart`. See USAGE. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileIfChanged } from '../../build/compile.ts';
import { operatorImage } from '../../build/image.ts';
import {
  clusterPaths, down, formatError, loadCatalogImage, SPARK_IMAGE, SPARK_JMX_IMAGE, SPARK_VERSION, spawnIn, stopCommands, terminalProgress, ToolError, up,
} from '../../local-cluster/index.ts';
import { readText } from '../api-client.ts';
import { root } from '../cluster.ts';
import { GOALS, startTable, withStartTable, type Run, type StartFigures } from './figures.ts';
import type { StartTask } from './inside.ts';

const USAGE = `npm run bench:start [-- flags]

  --rounds N    runs of each case, after one that is not counted (default 10, for about an hour)
  --out FILE    write the runs here (default test-reports/bench-start.json)
  --write       write them into bench/start.json, and the table into docs/guides/fast-start.md
  --no-install  do not install missing system packages

Each round runs pi in Python and Java with one and five executors: on an image without an archive (plain), on the same
image with one and fastStart: auto (fast), and also with JVM options for short jobs (short).`;

const progress = terminalProgress();

async function measure(rounds: number, install: boolean): Promise<{ readonly runs: readonly Run[]; readonly doubts: readonly string[] }> {
  const name = `bench-start-${createHash('sha256').update(root).digest('hex').slice(0, 6)}`;
  const stop = () => down({ name, progress });
  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
    process.once(signal, () => {
      stopCommands();
      void stop().finally(() => process.exit(code));
    });
  }
  try {
    await stop();
    await up({ name, install, progress });
    await loadCatalogImage(SPARK_JMX_IMAGE, { name, install, progress });
    const task: StartTask = {
      rounds, namespace: 'bench-jobs', sparkVersion: SPARK_VERSION, deadline: 300, cgroup: clusterPaths(name).cgroup,
      // That image has the exporter's jar, too, which nothing uses.
      images: { plain: SPARK_JMX_IMAGE, fast: SPARK_IMAGE }, operatorImage: await operatorImage(root, name, progress),
    };
    const child = spawnIn(name, [process.execPath, join(import.meta.dirname, 'inside.ts'), JSON.stringify(task)], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
    const [text, [code]] = await Promise.all([readText(child.stdout as any), once(child, 'exit')]);
    if (code !== 0) throw new ToolError(`the runs ended with exit code ${code}`, 'See the messages above.');
    return JSON.parse(text);
  } finally {
    await stop();
  }
}

function writePage(figures: StartFigures): void {
  const path = join(root, 'docs/guides/fast-start.md');
  const page = withStartTable(readFileSync(path, 'utf8'), figures);
  if (page === undefined) throw new ToolError(`${path} has no place for the table`, 'Add <!-- start:begin --> and <!-- start:end -->.');
  writeFileSync(path, page);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { 'rounds': { type: 'string', default: '10' }, 'out': { type: 'string' }, 'write': { type: 'boolean' }, 'no-install': { type: 'boolean' }, 'help': { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new ToolError(`--rounds=${values.rounds} is not a number of rounds`, 'Write a whole number such as 10.');
  await progress.step('compiling', async () => compileIfChanged(root));
  const measured = await measure(rounds, !values['no-install']);
  const figures: StartFigures = {
    day: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim(),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`, spark: SPARK_VERSION, ...measured,
  };
  const out = resolve(values.out ?? join(root, values.write ? 'bench/start.json' : 'test-reports/bench-start.json'));
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify(figures, undefined, 1)}\n`);
  if (values.write) writePage(figures);
  console.log(startTable(figures.runs).join('\n'));
  console.log(`\nGoals: at most ${GOALS.wall} of the time of plain, and ${GOALS.cpu} of its CPU time`);
  for (const doubt of figures.doubts) console.log(`doubtful: ${doubt}`);
  console.log(`\nThe runs: ${relative(process.cwd(), out)}`);
  return 0;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
