/*
 * `npm test` runs all tiers, `npm run test:unit`, `test:load`, `test:differential`, `test:packages`, `test:api` and `test:e2e` one each.
 *
 *   unit          no cluster
 *   load          what has the machine for itself: how many answers a second
 *   differential  native submission beside real spark-submit, without a cluster
 *   packages      the package as users of each language install it, beside what else they have; needs package registries
 *   api           a real API server without a node
 *   e2e           a real node and real Spark
 *
 * Tiers run in two lanes, and `load` at the end: see lanes.ts.
 *
 * Arguments after a second `--` go to jest, such as `npm run test:unit -- -- --testPathPatterns decide`.
 */
import { spawn as spawnHere, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileIfChanged } from '../build/compile.ts';
import { operatorImage } from '../build/image.ts';
import {
  aliasImage, clusterPaths, cpuOfCgroup, down, formatError, KUBEFLOW_IMAGE, loadCatalogImage, MissingRequirements,
  obtainCoscheduler, obtainDebianPrograms, obtainGcsServer, obtainKueue, obtainS3Server, spawnIn,
  SPARK_IMAGE, SPARK_JMX_IMAGE, SPARK_STORES_IMAGE, status, stopCommands, terminalProgress, up,
} from '../local-cluster/index.ts';
import { missingTools } from '../local-cluster/requirements.ts';
import { affectedTests, changedSince, readDependencies } from './affected.ts';
import { obtainFetched, type Fetched } from './fetched.ts';
import { makeRepository, pack } from './installed.ts';
import { KUBEFLOW_SDK_IMAGE } from './python-packages.ts';
import { runJest, type Counts, type Selection } from './jest.ts';
import { QUICK_LANES, runInLanes, tierOf, TIERS, type Tier } from './lanes.ts';
import { isCi } from './seed.ts';
import { timesTable, workedSeconds, type TierResult } from './times.ts';

const root = join(import.meta.dirname, '../..');
const progress = terminalProgress();

const USAGE = `npm test [-- TIER…] [--context NAME --image REF --spark-image REF] [--keep] [-- jest's arguments]

  --quick             for every edit: unit with a tenth of the generated cases, and without the tests of documents, examples, releases,
                      tools, limits, combinations and connections; one file of api (root on Linux)
  --changed           only what a change since main can affect, by imports; --since REV for another revision
  TIER…               unit, load, differential, packages, api, e2e; all of them by default
  --oldest            api: on the oldest Kubernetes that the project is meant for
  --full              differential: hundreds of generated cases instead of a sample, and what spark-submit answered before is asked again
  --context NAME      run e2e on this context of your kubeconfig instead of a local cluster; needs both images, and a node, which
                      the tests give GPUs while they run
  --image REF         image of the operator, for --context
  --spark-image REF   image of Spark with the applications of examples/applications, and with the JMX exporter as
                      tools/local-cluster/images/jmx-exporter.ts has it, for --context
  --times             print the time and the CPU time of each tier, and of the files that take longest; CI always does
  --keep              keep the clusters of the tests for a look
  --no-install        do not install missing system packages`;

const separator = process.argv.indexOf('--', 2);
const jestArguments = separator < 0 ? [] : process.argv.slice(separator + 1);
const { values: flags, positionals } = parseArgs({
  args: process.argv.slice(2, separator < 0 ? undefined : separator),
  allowPositionals: true,
  options: {
    'context': { type: 'string' }, 'image': { type: 'string' }, 'spark-image': { type: 'string' },
    'oldest': { type: 'boolean' }, 'full': { type: 'boolean' }, 'keep': { type: 'boolean' }, 'times': { type: 'boolean' }, 'quick': { type: 'boolean' }, 'changed': { type: 'boolean' }, 'since': { type: 'string' }, 'no-install': { type: 'boolean' }, 'help': { type: 'boolean', short: 'h' },
  },
});

/** The file of the tier api for --quick: submission, status, retries and deletion on a real API server. */
const QUICK_FILE = '/test/api/spark-application\\.test\\.ts$';

/**
 * Tests of unit that --quick leaves out: of what surrounds the product, except the layout; of limits, which take long: large and
 * forged objects, years of schedules, memory and cost; of combinations: each field, value or mistake with each other; and of
 * connections: servers, certificates, uploads and built programs.
 */
const NOT_QUICK = '^(?!(.*/)?test/((api-lint|docs|examples|generated|package|readme|release|snippets)\\.test\\.ts|tools/)'
  + '|.*/(forged-reviews|large|years|kept-in-memory|cost)\\.test\\.ts$'
  + '|.*/(wrong-values|hundred-mistakes|left-to-webhook|nothing-lost|reconciler-webhook|agreement)\\.test\\.ts$'
  + '|.*/(certificates|upload)/|.*/kube/(kube-config|logs|pages|port-forward)\\.test\\.ts$'
  + '|.*/(server\\.fuzz|http-server|bundle|compile-cache|typescript)\\.test\\.ts$)';

/** Clusters of another checkout are left alone; one that an earlier run of this checkout left behind is used up. */
const suffix = createHash('sha256').update(root).digest('hex').slice(0, 6);
const running = new Set<ChildProcess>();
const started = new Set<string>();

/** CPU time of the pods of tiers with a node, in seconds. */
const pods = new Map<Tier, number>();

/** Files that can be affected by a change, with --changed. */
let affected: readonly string[] | undefined;

/** @param missing files that cannot run, with the reason */
function selectionOf(tier: Tier, missing: Fetched['missing'] = new Map()): Selection {
  if (tier === 'api' && flags.quick) return { args: ['--testPathPatterns', QUICK_FILE, ...jestArguments] };
  if (tier === 'unit' && flags.quick && !affected && jestArguments.length === 0) return { args: ['--testPathPatterns', NOT_QUICK] };
  const without = [...missing.keys(), ...tier === 'api' && flags.oldest ? ['test/api/coscheduling.test.ts'] : []];
  return {
    args: jestArguments,
    ...(affected && { files: affected.filter((path) => tierOf(path) === tier && !missing.has(path)).map((path) => join(root, path)) }),
    ...(without.length > 0 && { without: `<rootDir>/(${without.map((path) => path.replaceAll('.', '\\.')).join('|')})$` }),
  };
}

async function runTier(tier: Tier): Promise<Counts> {
  if (tier === 'unit') return runJest(root, tier, selectionOf(tier), { ...process.env, ...(flags.quick && { COST_CASES: '20', FAST_CHECK_DIVISOR: '10' }) }, here);
  if (tier === 'load') return runJest(root, tier, selectionOf(tier), process.env, here);
  if (tier === 'differential') return runJest(root, tier, selectionOf(tier), { ...process.env, DIFFERENTIAL: flags.full ? 'full' : 'sample' }, here);
  if (tier === 'packages') return runPackages();
  if (tier === 'e2e') return withPlatformRepository(flags.context ? (repository) => runOnContext(flags.context!, repository) : (repository) => runOnCluster(tier, repository));
  return runOnCluster(tier);
}

/** A cluster for the time of the tier. */
async function runOnCluster(tier: 'api' | 'e2e', repository: NodeJS.ProcessEnv = {}): Promise<Counts> {
  const controlPlane = tier === 'api';
  const name = `${tier}-${suffix}`;
  started.add(name);
  try {
    await down({ name, progress });
    // Before the cluster, which would be idle while they are built, or for nothing if they cannot be.
    const { environment: parts, missing } = await partsFor(tier);
    const begin = () => up({ name, controlPlane, oldest: controlPlane && flags.oldest, audit: controlPlane, install: !flags['no-install'], progress });
    const { auditLog } = await begin();
    const images = async () => (tier === 'e2e' ? await imagesFor(name, parts) : {});
    const environment = {
      ...process.env,
      TEST_CLUSTER: name,
      SPARK_IMAGE,
      ...repository,
      ...(auditLog !== undefined && { AUDIT_LOG: auditLog }),
      ...parts,
      ...await images(),
    };
    const renew = async () => {
      await down({ name, progress });
      await begin();
      await images();
    };
    const counts = await runJest(root, tier, selectionOf(tier, missing), environment, (argv, env) => noted(spawnIn(name, argv, { env, stdio: 'inherit' })), renew);
    if (tier === 'e2e') pods.set(tier, cpuOfCgroup(clusterPaths(name).cgroup) / 1000);
    reportMissing(missing);
    return counts;
  } catch (error) {
    if (error instanceof MissingRequirements) return refuse(tier, error.message);
    throw error;
  } finally {
    await stop(name);
  }
}

/** Programs that the tests run beside the cluster. */
async function partsFor(tier: 'api' | 'e2e'): Promise<Fetched> {
  if (flags.quick) return { environment: {}, missing: new Map() };
  const options = { install: !flags['no-install'], progress };
  const { chromium } = await obtainDebianPrograms(options);
  const environment = { CHROMIUM: chromium, S3_SERVER: await obtainS3Server(options), GCS_SERVER: await obtainGcsServer(options) };
  const fetched = await obtainFetched(tier, options, isCi());
  if (tier === 'e2e') return { ...fetched, environment: { ...environment, ...fetched.environment } };
  // The scheduler is of the same version as the newest API server.
  const coscheduler = flags.oldest ? {} : { COSCHEDULER: await obtainCoscheduler(options) };
  return { ...fetched, environment: { ...environment, KUEUE: await obtainKueue(options), ...coscheduler, ...fetched.environment } };
}

/** Reports which test files did not run, and why. */
function reportMissing(missing: Fetched['missing']): void {
  for (const [file, reason] of missing) console.error(`\n${file} did not run: ${reason}`);
}

/** Programs in other languages are built by what the user has for them. */
async function runPackages(): Promise<Counts> {
  const missing = await missingTools(['git', 'python', 'venv', 'jdk', 'maven', 'go']);
  if (missing.length > 0) return refuse('packages', ['it needs', ...missing.map((line) => `  - ${line}`)].join('\n'));
  return runJest(root, 'packages', selectionOf('packages'), process.env, here);
}

/** A repository with the package installed, as a platform team has one: no registry is to be reached from the network of a cluster. */
async function withPlatformRepository(work: (environment: NodeJS.ProcessEnv) => Promise<Counts>): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-'));
  try {
    await progress.step('installing the package in a repository of its own', async () => {
      const { peerDependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      // The team writes its own manifests with cdk8s-plus.
      const others = { 'cdk8s-plus-27': devDependencies['cdk8s-plus-27'] };
      await makeRepository(folder, { ...peerDependencies, ...others, 'cdk8s-spark-operator': `file:${await pack(root, folder)}` });
    });
    return await work({ PLATFORM_REPOSITORY: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Images that no cluster has by itself. */
async function imagesFor(name: string, { KUBEFLOW_CHART, KUBEFLOW_SDK }: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const kubeflow = KUBEFLOW_CHART === undefined ? [] : [KUBEFLOW_IMAGE];
  for (const image of [SPARK_JMX_IMAGE, SPARK_STORES_IMAGE, ...kubeflow]) await loadCatalogImage(image, { name, install: !flags['no-install'], progress });
  if (KUBEFLOW_SDK !== undefined) await aliasImage(SPARK_IMAGE, KUBEFLOW_SDK_IMAGE, name);
  return {
    OPERATOR_IMAGE: await operatorImage(root, name, progress), SPARK_JMX_IMAGE, SPARK_STORES_IMAGE, ...(kubeflow.length > 0 && { KUBEFLOW_IMAGE }),
  };
}

/** Test files that need an image which only a local cluster has. */
const LOCAL_ONLY = new Map([['test/e2e/migration.test.ts', "the image of kubeflow's operator cannot be loaded into a cluster elsewhere"]]);

/** The user's own cluster, named explicitly: never the one that happens to be in the environment. */
async function runOnContext(context: string, repository: NodeJS.ProcessEnv): Promise<Counts> {
  if (!flags.image || !flags['spark-image']) {
    return refuse('e2e', '--context needs --image and --spark-image, as images cannot be loaded into that cluster from here');
  }
  const options = { install: !flags['no-install'], progress };
  const { environment: fetched, missing } = await obtainFetched('e2e', options, isCi(), LOCAL_ONLY);
  const environment = {
    ...process.env, ...repository, ...fetched, TEST_CLUSTER: context, TEST_CONTEXT: context,
    OPERATOR_IMAGE: flags.image, SPARK_IMAGE: flags['spark-image'], SPARK_JMX_IMAGE: flags['spark-image'],
    KUBECONFIG: process.env.KUBECONFIG ?? join(process.env.HOME ?? '', '.kube/config'),
  };
  const counts = await runJest(root, 'e2e', selectionOf('e2e', missing), environment, here);
  reportMissing(missing);
  return counts;
}

function here(argv: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return noted(spawnHere(argv[0]!, argv.slice(1), { env, stdio: 'inherit', cwd: root }));
}

/** Remembers a program until it ends, to end it with this one. */
function noted(child: ChildProcess): ChildProcess {
  running.add(child);
  return child.once('exit', () => running.delete(child));
}

/** In CI a tier that cannot run has failed; elsewhere the reason is printed, and the others run. */
function refuse(tier: Tier, reason: string): Counts {
  console.error(`the tier ${tier} cannot run here: ${reason}`);
  return { passed: 0, failed: isCi() || positionals.includes(tier) ? 1 : 0 };
}

async function stop(name: string): Promise<void> {
  if (flags.keep) {
    console.error(`kept: npm run cluster -- exec --name ${name} kubectl get pods -A; remove it with npm run cluster -- down --name ${name}`);
    return;
  }
  started.delete(name);
  if ((await status(name)).exists) await down({ name, progress });
}

async function main(): Promise<number> {
  if (flags.help) {
    console.log(USAGE);
    return 0;
  }
  const unknown = positionals.find((tier) => !TIERS.includes(tier as Tier));
  if (flags.quick && positionals.length > 0) throw new Error(`--quick chooses its tiers itself; omit ${positionals.join(' ')} or --quick`);
  if (unknown) throw new Error(`there is no tier ${unknown}; there are ${TIERS.join(', ')}`);
  // The tests that --quick chooses by itself need no more.
  const isPartial = flags.quick && !flags.changed && flags.since === undefined && jestArguments.length === 0;
  await progress.step('compiling', () => compileIfChanged(root, isPartial ? ['programs'] : undefined));
  if (flags.changed || flags.since !== undefined) await selectAffected(flags.since ?? 'main');
  const wanted = wantedTiers();
  const [begin, workedBefore] = [Date.now(), workedSeconds()];
  const [results, isCompiled] = await Promise.all([
    runInLanes(wanted, measuredTier, flags.quick ? QUICK_LANES : undefined), !isPartial || compiledLibrary(),
  ]);
  if (flags.times || isCi()) {
    const [seconds, worked] = [(Date.now() - begin) / 1000, workedSeconds() - workedBefore];
    console.log(`\n${timesTable(root, results)}\n\nThe machine's ${cpus().length} processors worked for ${Math.round(worked)} s in ${Math.round(seconds)} s.`);
  }
  const sum = (count: 'passed' | 'failed') => [...results.values()].reduce((total, { [count]: number }) => total + number, 0);
  const failed = sum('failed') + (isCompiled ? 0 : 1);
  console.log(`\n${sum('passed')} passed, ${failed} failed`);
  // A change that affects no test passes, but a build machine is there to run some.
  if (wanted.size === 0 && !isCi()) return 0;
  const isComplete = [...wanted].every((tier) => results.has(tier));
  return isComplete && failed === 0 && sum('passed') > 0 ? 0 : 1;
}

/** Compiles, beside the tests of --quick, what only the others use; its errors are of interest at any time. */
async function compiledLibrary(): Promise<boolean> {
  try {
    await compileIfChanged(root, ['library']);
    return true;
  } catch (error) {
    console.error(formatError(error));
    return false;
  }
}

async function selectAffected(revision: string): Promise<void> {
  const changed = changedSince(root, revision);
  const { affected: files, skipped } = affectedTests(await readDependencies(root), changed);
  affected = files;
  const count = (paths: readonly string[], tier: Tier) => paths.filter((path) => tierOf(path) === tier).length;
  console.error(`${changed.length} files changed since ${revision}. Test files that run, and that are skipped, by tier:`);
  for (const tier of TIERS) console.error(`  ${tier}: ${count(files, tier)} run, ${count(skipped, tier)} skipped`);
}

function wantedTiers(): ReadonlySet<Tier> {
  const found = chosenTiers();
  return affected ? new Set(affected.map(tierOf).filter((tier) => found.has(tier))) : found;
}

function chosenTiers(): ReadonlySet<Tier> {
  if (positionals.length > 0) return new Set(positionals as Tier[]);
  if (!flags.quick) return new Set(TIERS);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && !isCi()) console.error('the tier api is left out: it needs root on Linux');
  return new Set(isRoot || isCi() ? ['unit', 'api'] : ['unit']);
}

async function measuredTier(tier: Tier): Promise<TierResult> {
  const begin = Date.now();
  console.error(`\n=== ${tier}`);
  const counts = await runTier(tier).catch((error: unknown): Counts => {
    console.error(formatError(error));
    return { passed: 0, failed: 1 };
  });
  const seconds = (Date.now() - begin) / 1000;
  console.error(`=== ${tier}: ${counts.passed} passed, ${counts.failed} failed in ${Math.round(seconds)} s`);
  return { ...counts, seconds, ...(pods.has(tier) && { pods: pods.get(tier)! }) };
}

for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
  process.once(signal, async () => {
    for (const child of running) child.kill('SIGTERM');
    stopCommands();
    await Promise.all([...started].map((name) => stop(name).catch(() => undefined)));
    process.exit(code);
  });
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(formatError(error));
  return 1;
});
