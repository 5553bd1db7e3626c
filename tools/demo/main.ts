/*
 * `npm run demo`: the operator and a Spark application of examples/minimal on a real cluster, from nothing to the result.
 * See USAGE for its flags.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { compileIfChanged } from '../build/compile.ts';
import { operatorImage } from '../build/image.ts';
import {
  DEFAULT_CLUSTER, down, formatError, kubectl as localKubectl, spawnIn, SPARK_IMAGE, terminalProgress, ToolError, up,
} from '../local-cluster/index.ts';
import { run } from '../local-cluster/run.ts';
import { buildAndLoad, kindDown, kindUp } from './docker.ts';

const USAGE = `npm run demo [-- flags]

  --application NAME   python-pi (default) or java-pi, see examples/minimal
  --kind               use a cluster of kind, which the demo creates; needs Docker, kind and kubectl
  --context NAME       use this context of your kubeconfig: of kind, k3d, minikube, Docker Desktop, OrbStack or Rancher Desktop,
                       into which images built by Docker are loaded; of any other cluster with both images
  --image REF          image of the operator that the cluster of --context can pull
  --spark-image REF    image of Spark with the applications of examples/applications that it can pull
  --down               remove the cluster that the demo left running; with --kind, that of kind
  --no-install         do not install missing system packages`;

const root = join(import.meta.dirname, '../..');
const progress = terminalProgress();
const { values: flags } = parseArgs({
  options: {
    'application': { type: 'string', default: 'python-pi' }, 'down': { type: 'boolean' }, 'kind': { type: 'boolean' }, 'context': { type: 'string' }, 'image': { type: 'string' },
    'spark-image': { type: 'string' }, 'no-install': { type: 'boolean' }, 'help': { type: 'boolean', short: 'h' },
  },
});

/** Cluster of the demo: how to run kubectl there, which images it has, and how a user gets there. */
interface Target {
  readonly kubectl: (args: readonly string[]) => Promise<string>;
  /** Starts kubectl, and does not wait for its end. */
  readonly watch: (args: readonly string[]) => ChildProcess;
  readonly operatorImage: string;
  readonly sparkImage: string;
  /** Whether that image has an archive for `fastStart`. */
  readonly isFast: boolean;
  readonly hint: string;
}

async function localTarget(): Promise<Target> {
  const name = DEFAULT_CLUSTER;
  await up({ name, install: !flags['no-install'], progress });
  return {
    kubectl: (args) => localKubectl(name, args),
    watch: (args) => spawnIn(name, ['kubectl', ...args], { stdio: ['ignore', 'pipe', 'pipe'] }),
    operatorImage: await operatorImage(root, name, progress),
    sparkImage: SPARK_IMAGE,
    isFast: true,
    hint: 'npm run cluster -- exec kubectl',
  };
}

async function contextTarget(context: string): Promise<Target> {
  const { image, 'spark-image': spark } = flags;
  if ((image === undefined) !== (spark === undefined)) throw new ToolError('--image and --spark-image belong together, and one is missing', 'Name both, or none to have them built by Docker.');
  const images = image !== undefined && spark !== undefined ? { operatorImage: image, sparkImage: spark } : await buildAndLoad(root, context, progress);
  return {
    kubectl: (args) => run('kubectl', [`--context=${context}`, ...args]),
    watch: (args) => spawn('kubectl', [`--context=${context}`, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }),
    ...images,
    isFast: false,
    hint: `kubectl --context=${context}`,
  };
}

/** Shows an application's states as they come. @returns the seconds until it is COMPLETED */
async function follow(target: Target, name: string): Promise<number> {
  // kubectl would make spaces of tabs, and with the name in place of the selector it would miss a change between its get and its watch.
  const columns = ['.status.applicationState.state', '.status.executorState', '.status.applicationState.errorMessage'].map((path) => `{${path}}`).join('{"|"}');
  const child = target.watch(['get', 'sparkapp', `--field-selector=metadata.name=${name}`, '-n', 'spark-jobs', '--watch', '-o', `jsonpath=${columns}{"\\n"}`]);
  const begin = Date.now();
  let shown = '';
  const deadline = setTimeout(() => child.kill(), 300_000);
  try {
    for await (const line of createInterface({ input: child.stdout! })) {
      const [state = '', executors = '', ...message] = line.split('|');
      const text = [state || 'new', executorSummary(executors), message.join('|')].filter(Boolean).join(' · ');
      if (text !== shown) console.log(`  ${((Date.now() - begin) / 1000).toFixed(1).padStart(5)} s  ${text}`);
      shown = text;
      if (state === 'COMPLETED') return (Date.now() - begin) / 1000;
      if (state === 'FAILED') throw new ToolError(`${name} failed`, `Inspect it with \`${target.hint} describe sparkapp ${name} -n spark-jobs\`.`);
    }
    throw new ToolError(`${name} did not end within 5 minutes`, `Inspect it with \`${target.hint} describe sparkapp ${name} -n spark-jobs\`.`);
  } finally {
    clearTimeout(deadline);
    child.kill();
  }
}

function executorSummary(json: string): string {
  const counts = new Map<string, number>();
  for (const state of Object.values<string>(json ? JSON.parse(json) : {})) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} executor${count === 1 ? '' : 's'} ${state.toLowerCase()}`).join(', ');
}

/** Options of JVMs that suit jobs of less than a minute. */
const SHORT_JOB = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** Runs an application once more, with the archive of its image and the JVM options of short jobs. */
async function showFastStart(target: Target, name: string, before: number, folder: string): Promise<void> {
  const { apiVersion, kind, metadata: { labels }, spec } = JSON.parse(await target.kubectl(['get', 'sparkapp', name, '-n', 'spark-jobs', '-o', 'json']));
  const fast = `${name}-fast`;
  const javaOptions = { javaOptions: SHORT_JOB };
  const manifest = join(folder, `${fast}.json`);
  writeFileSync(manifest, JSON.stringify({
    apiVersion, kind, metadata: { name: fast, namespace: 'spark-jobs', labels: { ...labels, 'app.kubernetes.io/name': fast } },
    spec: { ...spec, fastStart: 'auto', driver: { ...spec.driver, ...javaOptions }, executor: { ...spec.executor, ...javaOptions } },
  }));
  await target.kubectl(['delete', 'sparkapp', fast, '-n', 'spark-jobs', '--ignore-not-found', '--cascade=foreground']);
  console.log(`\nThe same with fastStart: auto, and JVM options for short jobs, spark-jobs/${fast}:`);
  await target.kubectl(['apply', '-f', manifest]);
  const seconds = await follow(target, fast);
  console.log(`\n${seconds.toFixed(1)} s in place of ${before.toFixed(1)} s. docs/guides/fast-start.md describes how.`);
}

async function main(): Promise<number> {
  if (flags.help) {
    console.log(USAGE);
    return 0;
  }
  if (flags.context && (flags.down || flags.kind)) throw new ToolError(`--${flags.down ? 'down' : 'kind'} is for a cluster that the demo creates, and --context names another one`, 'Use one of them.');
  if (flags.down && flags.kind) {
    await kindDown();
    console.log('The cluster of kind is gone.');
    return 0;
  }
  if (flags.down) {
    const { found } = await down({ progress });
    console.log(found ? 'The local cluster is gone. Its parts stay in the cache.' : 'There is no local cluster.');
    return 0;
  }
  const name = flags.application;
  if (!['python-pi', 'java-pi'].includes(name)) throw new ToolError(`there is no application ${name} in examples/minimal`, 'Use python-pi or java-pi.');
  await progress.step('compiling the package', async () => compileIfChanged(root));
  const context = flags.kind ? await kindUp(progress) : flags.context;
  const target = context === undefined ? await localTarget() : await contextTarget(context);
  const kubectl = (...args: string[]) => target.kubectl(args);

  const manifests = mkdtempSync(join(tmpdir(), 'demo-'));
  try {
    execFileSync(process.execPath, [join(root, 'examples/minimal/main.mts')], {
      cwd: root, env: { ...process.env, OUTDIR: manifests, OPERATOR_IMAGE: target.operatorImage, SPARK_IMAGE: target.sparkImage },
    });
    const [operator, applications] = globSync('*.yaml', { cwd: manifests }).sort().map((file) => join(manifests, file));
    await progress.step('installing the operator', async () => {
      await kubectl('apply', '-f', operator!);
      await kubectl('rollout', 'status', 'deployment/spark-operator', '-n', 'spark-operator', '--timeout=120s');
      // Afterwards: `kubectl wait` gives up at once on a CRD that has no conditions yet.
      await kubectl('wait', 'crd/sparkapplications.sparkoperator.k8s.io', '--for=condition=Established', '--timeout=30s');
    });
    // A previous run is not the one to show.
    await kubectl('delete', 'sparkapp', name, '-n', 'spark-jobs', '--ignore-not-found', '--cascade=foreground');
    console.log(`\nSparkApplication spark-jobs/${name}:`);
    await kubectl('apply', '-f', applications!, '-l', `app.kubernetes.io/name=${name}`);
    const seconds = await follow(target, name);
    const log = await kubectl('logs', `${name}-driver`, '-n', 'spark-jobs');
    console.log(`\nOutput of the driver: ${log.split('\n').find((line) => line.startsWith('Pi is roughly')) ?? '(no result line)'}`);
    if (target.isFast) await showFastStart(target, name, seconds, manifests);
  } finally {
    rmSync(manifests, { recursive: true });
  }
  console.log(`
Where to look next:
  ${target.hint} get sparkapp -n spark-jobs
  ${target.hint} describe sparkapp ${name} -n spark-jobs
  ${target.hint} logs ${name}-driver -n spark-jobs
  ${target.hint} logs deployment/spark-operator -n spark-operator
While an application runs, its Spark UI: ${context !== undefined ? `${target.hint} port-forward -n spark-jobs ${name}-driver 4040` : `npm run cluster -- forward 4040 spark-jobs/${name}-driver:4040`}, then http://localhost:4040${flags.context ? '' : `
The cluster keeps running; \`npm run demo -- ${flags.kind ? '--kind ' : ''}--down\` removes it.`}`);
  return 0;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
