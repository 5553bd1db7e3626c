import { join } from 'node:path';
import { helmPart, KUBEFLOW_CHART, kubeflowPart } from './build/kubeflow.ts';
import { kueuePart } from './build/kueue.ts';
import { gcsServerPart, s3ServerPart } from './build/object-stores.ts';
import { neededFor, obtain, partKey } from './build/parts.ts';
import type { Part } from './build/parts.ts';
import { programPart } from './build/programs.ts';
import type { Program } from './build/programs.ts';
import type { ForwardTarget } from './cli.ts';
import { refuseForeign, remains, removeRemains } from './cluster/down.ts';
import { removeOrphans } from './cluster/orphans.ts';
import { captureKubectl } from './cluster/enter.ts';
import { openForward } from './cluster/forward.ts';
import type { Forward } from './cluster/forward.ts';
import { readRecord } from './cluster/record.ts';
import { readStatus } from './cluster/status.ts';
import type { ClusterStatus } from './cluster/status.ts';
import { isSandboxAlive, start } from './cluster/up.ts';
import type { NodeImages } from './cluster/up.ts';
import { ToolError } from './errors.ts';
import { builtImage } from './images/built.ts';
import type { Recipe } from './images/built.ts';
import { clusterImages, imageCatalog } from './images/catalog.ts';
import { loadLayouts, tagImage } from './images/load.ts';
import { adoptStore, containerdVersion, preparedStore, usableSnapshotter } from './images/prepared.ts';
import { withClusterLock } from './lock.ts';
import { DEFAULT_CLUSTER, cacheFolder, clusterPaths } from './paths.ts';
import type { ClusterPaths } from './paths.ts';
import { silent } from './progress.ts';
import type { Progress } from './progress.ts';
import { repository } from './repository.ts';
import { CONTROL_PLANE_PROGRAMS, NODE_PROGRAMS, ensure } from './requirements.ts';
import type { RunOptions } from './run.ts';
import type { ProcessIdentity } from './sandbox/identity.ts';

/** The local cluster for other tools. Nothing in here prints: what is under way goes to a `Progress`. */

export { ToolError, formatError } from './errors.ts';
export { DEFAULT_CLUSTER, clusterPaths } from './paths.ts';
export { MissingRequirements } from './requirements.ts';
export { silent, terminalProgress } from './progress.ts';
export { KUBEFLOW_IMAGE, KUBERNETES_VERSION, NODE_IMAGE, OLDEST_KUBERNETES_VERSION, PAUSE_IMAGE, SPARK_IMAGE, SPARK_JMX_IMAGE, SPARK_STORES_IMAGE, SPARK_VERSION } from './versions.ts';
export { nsenterArgs, spawnIn } from './cluster/enter.ts';
export { stopCommands } from './run.ts';
export { cpuOfCgroup } from './sandbox/cgroups.ts';
export type { ClusterStatus } from './cluster/status.ts';
export type { Progress } from './progress.ts';

export interface UpOptions {
  readonly name?: string;
  /** Without a node: enough for everything but pods. */
  readonly controlPlane?: boolean;
  /** The oldest Kubernetes that the project is meant for, in place of the newest. Only without a node. @default false */
  readonly oldest?: boolean;
  /** Logs each request to the API server; see `ClusterStatus.auditLog`. */
  readonly audit?: boolean;
  /** For tens of thousands of pods: the limits that Kubernetes' own programs set themselves, and the bound of etcd, are raised, and what follows all pods is left out, the kube-scheduler among it. @default false */
  readonly scale?: boolean;
  /** Whether the tool can install missing Debian packages. Default: yes. */
  readonly install?: boolean;
  readonly progress?: Progress;
}

/** Starts a cluster, or makes one whole again. Quick if it runs already. */
export async function up(options: UpOptions = {}): Promise<ClusterStatus> {
  const { name = DEFAULT_CLUSTER, controlPlane = false, oldest = false, audit = false, scale = false, install = true, progress = silent } = options;
  if (oldest && !controlPlane) throw new ToolError('of the oldest Kubernetes there is no node', 'Ask for a control plane alone.');
  const cache = cacheFolder();
  const paths = clusterPaths(name, cache);
  const kubernetes = oldest ? 'controlplane-oldest' : 'controlplane';
  const programs: Program[] = ['pause', kubernetes, ...(controlPlane ? [] : ['coredns'] as const)];
  const parts = new Map(programs.map((program) => [program, programPart(repository.tool, program)]));
  const images = controlPlane ? [] : clusterImages(repository);
  const needs = neededFor(cache, [...parts.values(), ...images]);
  const runtime = controlPlane ? CONTROL_PLANE_PROGRAMS : NODE_PROGRAMS;
  await ensure({ programs: [...runtime, ...needs.programs], tools: needs.tools }, install, progress);

  await removeOrphans(progress);
  return await withClusterLock(cache, name, progress, async () => {
    refuseForeign(paths);
    // Images are mostly fetched, and programs mostly compiled, so that the two hardly get into each other's way.
    const [folders, layouts] = await Promise.all([obtainAll(cache, [...parts.values()], progress), obtainAll(cache, images, progress)]);
    const folderOf = (program: Program) => folders[programs.indexOf(program)];
    await start({
      paths, cache, tool: repository.tool, audit, scale, progress,
      programs: {
        controlplane: folderOf(kubernetes)!, pause: folderOf('pause')!, coredns: folderOf('coredns'),
        keys: Object.fromEntries([...parts].map(([program, part]) => [program === kubernetes ? 'controlplane' : program, partKey(part)])),
      },
    }, controlPlane ? undefined : await nodeImages(cache, paths, images, layouts, progress));
    return await readStatus(paths);
  });
}

async function nodeImages(
  cache: string, paths: ClusterPaths, images: readonly Part[], layouts: readonly string[], progress: Progress,
): Promise<NodeImages> {
  const snapshotter = usableSnapshotter(cache);
  return {
    snapshotter,
    async adoptStore(init) {
      const store = await obtain(cache, preparedStore(images, snapshotter, await containerdVersion(), repository.tool), progress);
      await adoptStore(paths, init, store, snapshotter);
    },
    async loadMissing(init) {
      await loadLayouts(paths, init, layouts, progress);
    },
  };
}

export interface ObtainOptions {
  /** Whether missing Debian packages can be installed. @default true */
  readonly install?: boolean;
  readonly progress?: Progress;
}

/** Builds or fetches a part that belongs to no cluster, once, and returns its folder. */
export async function obtainPart(part: Part, { install = true, progress = silent }: ObtainOptions = {}): Promise<string> {
  const cache = cacheFolder();
  await ensure(neededFor(cache, [part]), install, progress);
  return await obtain(cache, part, progress);
}

/** Obtains kwok, which plays the kubelets of simulated nodes, and returns its path. */
export async function obtainKwok(options?: ObtainOptions): Promise<string> {
  return join(await obtainPart(programPart(repository.tool, 'kwok'), options), 'kwok');
}

/** Obtains Kubernetes' scheduler with the coscheduling plugin, and returns its path. */
export async function obtainCoscheduler(options?: ObtainOptions): Promise<string> {
  return join(await obtainPart(programPart(repository.tool, 'coscheduler'), options), 'coscheduler');
}

/** Obtains Kueue. Returns the folder with the program `kueue`, its CRDs in `crds`, and `webhooks.yaml`, all of one release. */
export async function obtainKueue(options?: ObtainOptions): Promise<string> {
  return await obtainPart(kueuePart(repository.tool), options);
}

/** Obtains an S3 server, the Versity S3 Gateway, and returns its path. */
export async function obtainS3Server(options?: ObtainOptions): Promise<string> {
  return join(await obtainPart(s3ServerPart(repository.tool), options), 'versitygw');
}

/** Obtains a server of Google Cloud Storage, fake-gcs-server, and returns its path. */
export async function obtainGcsServer(options?: ObtainOptions): Promise<string> {
  return join(await obtainPart(gcsServerPart(repository.tool), options), 'fake-gcs-server');
}

/** Obtains the Helm chart of kubeflow's operator, for `KUBEFLOW_IMAGE`, which is of the same release. Returns its folder. */
export async function obtainKubeflowChart(options?: ObtainOptions): Promise<string> {
  return join(await obtainPart(kubeflowPart(repository.tool), options), KUBEFLOW_CHART);
}

/** Obtains Helm, and returns its path. */
export async function obtainHelm(options?: ObtainOptions): Promise<string> {
  return join(await obtainPart(helmPart(repository.tool), options), 'helm');
}

/** Programs of Debian that tests run beside a cluster: a browser, and shells that complete command lines. */
export async function obtainDebianPrograms({ install = true, progress = silent }: ObtainOptions = {}): Promise<{ readonly chromium: string }> {
  await ensure({ programs: ['chromium-headless-shell', 'zsh', 'fish'], tools: [] }, install, progress);
  return { chromium: '/usr/bin/chromium-headless-shell' };
}

/** Obtains parts one after the other: each build keeps all processors busy by itself. */
async function obtainAll(cache: string, parts: readonly Part[], progress: Progress): Promise<string[]> {
  const folders: string[] = [];
  for (const part of parts) folders.push(await obtain(cache, part, progress));
  return folders;
}

export interface LoadOptions extends ObtainOptions {
  /** Name of the cluster. @default DEFAULT_CLUSTER */
  readonly name?: string;
}

/**
 * Loads an image of this project that is in no cluster by itself. Does nothing if the cluster has it.
 *
 * @param reference one of `imageCatalog`, such as `SPARK_JMX_IMAGE`
 */
export async function loadCatalogImage(reference: string, options?: LoadOptions): Promise<void> {
  await loadImage(catalogImage(reference), options);
}

/** Gives an image in a cluster another name, such as the one that a program hard-codes. */
export async function aliasImage(reference: string, alias: string, name: string = DEFAULT_CLUSTER): Promise<void> {
  const { paths, init } = runningNode(name);
  await tagImage(paths, init, reference, alias);
}

export interface BuildImageOptions extends Recipe, LoadOptions {
  /** Name of one of our images. */
  readonly base: string;
}

/** Builds a Dockerfile on one of our images, and loads the result. Does nothing if the image exists. */
export async function buildImage(options: BuildImageOptions): Promise<void> {
  await loadImage(builtImage(options, catalogImage(options.base), repository.tool), options);
}

async function loadImage(image: Part, { name = DEFAULT_CLUSTER, install, progress = silent }: LoadOptions = {}): Promise<void> {
  const { paths, init } = runningNode(name);
  await loadLayouts(paths, init, [await obtainPart(image, { install, progress })], progress);
}

function catalogImage(reference: string): Part {
  const image = imageCatalog(repository).get(reference);
  if (!image) throw new ToolError(`${reference} is not an image of ours`);
  return image;
}

function runningNode(name: string): { readonly paths: ClusterPaths; readonly init: ProcessIdentity } {
  const paths = clusterPaths(name);
  const record = readRecord(paths);
  const flag = name === DEFAULT_CLUSTER ? '' : ` --name ${name}`;
  if (!record || record.controlPlaneOnly || !isSandboxAlive(paths, record)) {
    throw new ToolError(`the cluster ${name} has no running node to load images into`, `Start it with \`npm run cluster -- up${flag}\`.`);
  }
  return { paths, init: record.init };
}

/** Removes a cluster. `found` is whether there was anything of it. */
export async function down(options: { readonly name?: string; readonly progress?: Progress } = {}): Promise<{ readonly found: boolean }> {
  const { name = DEFAULT_CLUSTER, progress = silent } = options;
  const cache = cacheFolder();
  const paths = clusterPaths(name, cache);
  await removeOrphans(progress);
  return await withClusterLock(cache, name, progress, async () => {
    refuseForeign(paths);
    const found = remains(paths).length > 0;
    await progress.step(`removing the cluster ${name}`, () => removeRemains(paths));
    return { found };
  });
}

export async function status(name: string = DEFAULT_CLUSTER): Promise<ClusterStatus> {
  return await readStatus(clusterPaths(name));
}

/** Makes a port of a pod or service reachable on 127.0.0.1 of this machine. Port 0 is any that is free. */
export async function forward(name: string, localPort: number, target: ForwardTarget): Promise<Forward> {
  return await openForward(name, localPort, target, repository.tool);
}

/** Returns the output of kubectl. Throws with its message if it fails. */
export async function kubectl(name: string, args: readonly string[], options: Pick<RunOptions, 'input' | 'signal'> = {}): Promise<string> {
  const result = await captureKubectl(name, args, options);
  if (result.code !== 0) throw new ToolError(`\`kubectl ${args.join(' ')}\` failed: ${result.stderr.trim()}`);
  return result.stdout;
}
