/*
 * `npm run test:kubeflow -- CHECKOUT`: kubeflow's end-to-end suite against this operator, on a local cluster.
 * See USAGE for its flags, and docs/explain/compatibility.md.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileIfChanged } from '../build/compile.ts';
import { operatorImage } from '../build/image.ts';
import { down, formatError, SPARK_IMAGE, SPARK_VERSION, stopCommands, terminalProgress, ToolError, up } from '../local-cluster/index.ts';
import { missingTools } from '../local-cluster/requirements.ts';
import { copyCheckout, revisionOf } from './checkout.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { checkInstallation, replaceInstallation, SUBMISSIONS, type Submission } from './installation.ts';
import { evaluate, format } from './report.ts';
import { compileSuite, killGroup, runSuite } from './run.ts';
import { patchSuite } from './suite.ts';

const USAGE = `npm run test:kubeflow -- CHECKOUT [flags]

  CHECKOUT           a checkout of kubeflow/spark-operator, which stays as it is
  --submission WAY   native, spark-submit or both (default)
  --focus REGEX      only specifications whose text matches
  --keep             keep the clusters and the copy of the checkout for a look
  --no-install       do not install missing system packages

Needs root on Linux, and Go. Results and logs are in test-reports/kubeflow-*.`;

/** Fewer processors than a driver, two executors and the operator request in the suite. */
const SMALL_MACHINE = 4;
const SMALL_REQUEST = '100m';

const root = join(import.meta.dirname, '../..');
const reports = join(root, 'test-reports');
const progress = terminalProgress();
const running = new Set<ChildProcess>();
const started = new Set<string>();
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'submission': { type: 'string', default: 'both' }, 'focus': { type: 'string' }, 'keep': { type: 'boolean' }, 'no-install': { type: 'boolean' }, 'help': { type: 'boolean', short: 'h' },
  },
});

function chosenSubmissions(): readonly Submission[] {
  if (flags.submission === 'both') return SUBMISSIONS;
  const found = SUBMISSIONS.find((submission) => submission === flags.submission);
  if (!found) throw new ToolError(`--submission is ${flags.submission}`, `Use ${SUBMISSIONS.join(', ')} or both.`);
  return [found];
}

/** Runs the suite on a cluster of its own. Returns the number of failures. */
async function runWith(submission: Submission, copy: string, program: string, title: string): Promise<number> {
  const name = `kubeflow-${submission}`;
  const file = (ending: string) => join(reports, `kubeflow-${submission}.${ending}`);
  started.add(name);
  try {
    await down({ name, progress });
    await up({ name, install: !flags['no-install'], progress });
    replaceInstallation(copy, root, await operatorImage(root, name, progress), submission);
    const report = await progress.step(`running kubeflow's suite, submission ${submission}; the output is ${file('log')}`, () => runSuite(
      name, copy, program, flags.focus, { report: file('json'), log: file('log'), operatorLog: file('operator.log') }, remember,
    ));
    const results = evaluate(report, EXCEPTIONS, flags.focus !== undefined);
    const text = `${title}, submission ${submission}\n\n${format(results)}\n`;
    writeFileSync(file('txt'), text);
    console.log(`\n${text}`);
    return results.filter(({ outcome }) => outcome === 'failed').length;
  } finally {
    await stop(name);
  }
}

/** Remembers a process until it ends, to end it with this one. */
function remember(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

async function stop(name: string): Promise<void> {
  started.delete(name);
  if (flags.keep) progress.note(`kept: npm run cluster -- exec --name ${name} kubectl get pods -A; remove it with npm run cluster -- down --name ${name}`);
  else await down({ name, progress });
}

async function main(): Promise<number> {
  if (flags.help) {
    console.log(USAGE);
    return 0;
  }
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new ToolError(`${positionals.length} folders are given, and not one`, USAGE);
  const submissions = chosenSubmissions();
  const missing = await missingTools(['go']);
  if (missing.length > 0) throw new ToolError(`the suite needs ${missing.join(', ')}`);
  await progress.step('compiling the package', async () => compileIfChanged(root));

  const checkout = realpathSync(path);
  const title = `kubeflow/spark-operator ${await revisionOf(checkout)}`;
  mkdirSync(reports, { recursive: true });
  const copy = mkdtempSync(join(tmpdir(), 'kubeflow-'));
  // Also after a signal, which ends the process at once.
  process.once('exit', () => {
    if (flags.keep) progress.note(`kept: ${copy}`);
    else rmSync(copy, { recursive: true, force: true });
  });
  let failures = 0;
  copyCheckout(checkout, copy);
  checkInstallation(copy);
  const cpuRequest = availableParallelism() < SMALL_MACHINE ? SMALL_REQUEST : undefined;
  if (cpuRequest) progress.note(`fewer than ${SMALL_MACHINE} processors: drivers and executors without a CPU request get ${cpuRequest}`);
  patchSuite(copy, { image: SPARK_IMAGE, version: SPARK_VERSION, cpuRequest });
  const program = await progress.step('compiling the suite (some minutes the first time)', () => compileSuite(copy, join(reports, 'kubeflow-compile.log')));
  for (const submission of submissions) failures += await runWith(submission, copy, program, title);
  return failures === 0 ? 0 : 1;
}

for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
  process.once(signal, async () => {
    for (const child of running) killGroup(child);
    stopCommands();
    await Promise.all([...started].map((name) => stop(name).catch(() => undefined)));
    process.exit(code);
  });
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
