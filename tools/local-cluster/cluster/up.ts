import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { KUBERNETES_PROGRAMS } from '../build/programs.ts';
import { ToolError, logTail } from '../errors.ts';
import type { Snapshotter } from '../images/prepared.ts';
import type { ClusterPaths } from '../paths.ts';
import type { Progress } from '../progress.ts';
import { capture } from '../run.ts';
import { createCgroup } from '../sandbox/cgroups.ts';
import { isAlive } from '../sandbox/identity.ts';
import type { ProcessIdentity } from '../sandbox/identity.ts';
import { killAll, namespaceOf, namespaceOfFile } from '../sandbox/processes.ts';
import { INIT_PROGRAM, runInSandbox, sandboxProcesses, startDaemon, startSandbox } from '../sandbox/sandbox.ts';
import { saveTunables } from '../sandbox/tunables.ts';
import { writeCertificates } from './certificates.ts';
import { controllers, node, runtime, storeAndApi } from './components.ts';
import type { Component } from './components.ts';
import { writeConfiguration, writeNodeConfiguration } from './configuration.ts';
import { removeRemains } from './down.ts';
import { createNetwork } from './network.ts';
import { readRecord, writeRecord } from './record.ts';
import type { ClusterRecord } from './record.ts';

const READY_SECONDS = 90;

/** The built programs: their folders, and their keys. */
export interface Programs {
  readonly controlplane: string;
  readonly pause: string;
  /** Not needed by a control plane alone. */
  readonly coredns?: string;
  readonly keys: Readonly<Record<string, string>>;
}

export interface StartOptions {
  readonly paths: ClusterPaths;
  readonly cache: string;
  readonly tool: string;
  readonly programs: Programs;
  readonly audit: boolean;
  readonly scale: boolean;
  readonly progress: Progress;
}

export function isSandboxAlive(paths: ClusterPaths, record: ClusterRecord): boolean {
  // A network namespace that was deleted and created again is another one, and the cluster is not in it.
  return isAlive(record.init) && namespaceOf(record.init.pid, 'net') === namespaceOfFile(paths.netnsFile);
}

export function allComponents(paths: ClusterPaths, record: ClusterRecord): Component[] {
  return [
    ...storeAndApi(paths, record),
    ...controllers(paths, record),
    ...(record.controlPlaneOnly ? [] : [runtime(paths), ...node(paths)]),
  ];
}

export function missingComponents(components: readonly Component[], init: ProcessIdentity): Component[] {
  const running = new Set(sandboxProcesses(init).map(({ program }) => program));
  return components.filter(({ name }) => !running.has(name));
}

/** Images of a node: a store to begin with, and images that are missing in it once containerd runs. */
export interface NodeImages {
  readonly snapshotter: Snapshotter;
  adoptStore(init: ProcessIdentity): Promise<void>;
  loadMissing(init: ProcessIdentity): Promise<void>;
}

/** Brings the cluster into the state that is asked for, from whatever state it is in. */
export async function start(options: StartOptions, images?: NodeImages): Promise<ClusterRecord> {
  const { paths, progress } = options;
  let record = readRecord(paths);
  if (record && !isUsable(options, record)) {
    progress.note(`The cluster ${paths.name} is not whole, not from the present sources or not of the size that is asked for: starting it anew.`);
    record = undefined;
  }
  if (!record) {
    await removeRemains(paths);
    record = await prepare(options, images);
  } else if ((options.audit && !record.audit) || (images && record.controlPlaneOnly)) {
    record = await extend(options, record, images);
  }

  const { init } = record;
  const startMissing = async (components: Component[]) => {
    for (const component of missingComponents(components, init)) await startDaemon(paths, init, component.name, component.command);
  };
  // The container runtime needs no API server, so that images are loaded while that one starts.
  const containerd = images && startMissing([runtime(paths)]).then(() => containerdReady(options, init));
  const loaded = containerd?.then(() => images!.loadMissing(init));
  loaded?.catch(() => {}); // awaited below, after steps whose errors are likely to explain more
  await startMissing(storeAndApi(paths, record));
  await progress.step('starting the control plane', () => waitUntilReady(options, record, ['api']));
  await startMissing(controllers(paths, record));
  if (record.controlPlaneOnly) {
    await progress.step('starting the controllers', () => waitUntilReady(options, record, ['service-account']));
    return record;
  }
  await containerd;
  await startMissing(node(paths));
  await progress.step('starting the node', () => waitUntilReady(options, record, ['service-account', 'node', 'dns']));
  await loaded;
  return record;
}

function isUsable(options: StartOptions, record: ClusterRecord): boolean {
  const { keys } = options.programs;
  return isSandboxAlive(options.paths, record) && (record.scale ?? false) === options.scale && Object.entries(record.programs).every(([name, key]) => (keys[name] ?? key) === key);
}

async function prepare(options: StartOptions, images?: NodeImages): Promise<ClusterRecord> {
  const { paths } = options;
  for (const folder of [paths.bin, paths.logs, paths.podLogs, paths.containerd]) mkdirSync(folder, { recursive: true });
  linkPrograms(options);
  writeCertificates(paths);
  await createNetwork(paths);
  const init = await startSandbox(paths, options.tool, options.cache);
  const record = { controlPlaneOnly: images === undefined, audit: options.audit, scale: options.scale, programs: options.programs.keys, init };
  writeConfiguration(paths);
  if (images) await prepareNode(options, init, images);
  writeRecord(paths, record);
  return record;
}

/** Makes a node of a control plane, or gives the API server an audit log, without losing what is in the cluster. */
async function extend(options: StartOptions, record: ClusterRecord, images?: NodeImages): Promise<ClusterRecord> {
  const { paths } = options;
  linkPrograms(options);
  if (images && record.controlPlaneOnly) await prepareNode(options, record.init, images);
  if (options.audit && !record.audit) {
    await killAll(() => sandboxProcesses(record.init).filter(({ program }) => program === 'kube-apiserver'));
  }
  const extended = {
    ...record,
    controlPlaneOnly: record.controlPlaneOnly && images === undefined,
    audit: options.audit || record.audit,
    programs: { ...record.programs, ...options.programs.keys },
  };
  writeRecord(paths, extended);
  return extended;
}

async function prepareNode({ paths }: StartOptions, init: ProcessIdentity, images: NodeImages): Promise<void> {
  createCgroup(paths.cgroup);
  saveTunables(paths);
  writeNodeConfiguration(paths, images.snapshotter);
  await images.adoptStore(init);
}

function linkPrograms({ paths, programs }: StartOptions): void {
  const link = (target: string, name: string) => {
    rmSync(join(paths.bin, name), { force: true });
    symlinkSync(target, join(paths.bin, name));
  };
  for (const name of KUBERNETES_PROGRAMS) link(join(programs.controlplane, 'controlplane'), name);
  link(join(programs.pause, 'pause'), INIT_PROGRAM);
  if (programs.coredns !== undefined) link(join(programs.coredns, 'coredns'), 'coredns');
}

async function containerdReady({ paths }: StartOptions, init: ProcessIdentity): Promise<void> {
  const waitForSocket = 'for i in $(seq 300); do ctr version >/dev/null 2>&1 && exit 0; sleep 0.1; done; exit 1';
  try {
    await runInSandbox(paths, init, ['sh', '-c', waitForSocket]);
  } catch (error) {
    throw new ToolError(`containerd does not answer\n${logTail(join(paths.logs, 'containerd.log'))}`, undefined, { cause: error });
  }
}

export async function waitUntilReady(
  { paths, tool }: Pick<StartOptions, 'paths' | 'tool'>, record: ClusterRecord, checks: readonly string[], seconds = READY_SECONDS,
): Promise<void> {
  const probe = join(tool, 'cluster', 'probe.ts');
  const result = await capture('nsenter', [
    `--net=${paths.netnsFile}`, process.execPath, probe, paths.kubeconfig, String(seconds), ...checks,
  ]);
  if (result.code === 0) return;
  const ended = missingComponents(allComponents(paths, record), record.init).map(({ name }) => name);
  // A program that ended is the reason; otherwise the API server or the kubelet knows most about it.
  const culprit = ended.find((name) => name !== 'etcd' || ended.length === 1) ?? (checks.includes('node') ? 'kubelet' : 'kube-apiserver');
  throw new ToolError([
    `the cluster ${paths.name} did not become ready: ${result.stderr.trim()}`,
    ...(ended.includes(culprit) ? [`${culprit} is not running.`] : []),
    logTail(join(paths.logs, `${culprit}.log`)),
  ].join('\n'), `All logs are in ${paths.logs}. Remove the cluster with \`npm run cluster -- down --name ${paths.name}\` and try again.`);
}
