import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../errors.ts';

/**
 * Every cluster keeps its pods below a cgroup of its own. With kubelet's default, the root, the kubelets of two
 * clusters would take each other's pods for orphans, and kill them.
 */

interface Hierarchy {
  readonly root: string;
  readonly version: 1 | 2;
  readonly controllers: readonly string[];
}

/** The cgroup hierarchies of `/proc/self/mounts`. */
export function parseHierarchies(mounts: string): Hierarchy[] {
  const hierarchies: Hierarchy[] = [];
  for (const line of mounts.split('\n')) {
    const [, root, type, options] = line.split(' ');
    if (type === 'cgroup') hierarchies.push({ root: root!, version: 1, controllers: options!.split(',') });
    if (type === 'cgroup2') hierarchies.push({ root: root!, version: 2, controllers: [] });
  }
  return hierarchies;
}

/** Where pods get their limits. Beside version 1, a mounted version 2 has no controllers and only groups processes. */
export function limitingHierarchies(hierarchies: readonly Hierarchy[]): Hierarchy[] {
  const hasV1 = hierarchies.some(({ version, controllers }) => version === 1 && controllers.includes('memory'));
  return hierarchies.filter(({ version }) => !hasV1 || version === 1);
}

function hierarchiesOfThisMachine(): Hierarchy[] {
  return parseHierarchies(readFileSync('/proc/self/mounts', 'utf8'));
}

/** By default all pods together get as much of a busy machine as a single process beside the cluster. */
const PROCESSES = 2;

export function createCgroup(cgroup: string): void {
  const hierarchies = limitingHierarchies(hierarchiesOfThisMachine());
  if (hierarchies.length === 0) throw new ToolError('no cgroups are mounted', 'Pods need them: mount them at /sys/fs/cgroup.');
  for (const hierarchy of hierarchies) {
    const folder = join(hierarchy.root, cgroup);
    if (hierarchy.version === 2) enableControllers(hierarchy.root);
    mkdirSync(folder, { recursive: true });
    if (hierarchy.version === 2) writeFileSync(join(folder, 'cpu.weight'), String(100 * PROCESSES));
    else if (hierarchy.controllers.includes('cpu')) writeFileSync(join(folder, 'cpu.shares'), String(1024 * PROCESSES));
    // A new cpuset is empty, and takes no process before it has been given processors and memory.
    if (hierarchy.version === 1 && hierarchy.controllers.includes('cpuset')) {
      for (const file of ['cpuset.cpus', 'cpuset.mems']) {
        if (readFileSync(join(folder, file), 'utf8').trim() === '') {
          writeFileSync(join(folder, file), readFileSync(join(hierarchy.root, file)));
        }
      }
    }
  }
}

function enableControllers(root: string): void {
  const available = readFileSync(join(root, 'cgroup.controllers'), 'utf8').trim().split(' ');
  const enabled = new Set(readFileSync(join(root, 'cgroup.subtree_control'), 'utf8').trim().split(' '));
  for (const controller of ['cpu', 'cpuset', 'memory', 'pids', 'hugetlb', 'io']) {
    if (!available.includes(controller) || enabled.has(controller)) continue;
    try {
      writeFileSync(join(root, 'cgroup.subtree_control'), `+${controller}`);
    } catch (error) {
      throw new ToolError(`could not enable the cgroup controller ${controller} below ${root}: ${(error as Error).message}`,
        'Inside of a container, move the processes of its root cgroup into a child first.', { cause: error });
    }
  }
}

/** The folders of a cgroup and what is below it, in all hierarchies, innermost first. */
export function cgroupFolders(cgroup: string): string[] {
  return hierarchiesOfThisMachine().flatMap(({ root }) => foldersBelow(join(root, cgroup)));
}

function foldersBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...children.flatMap((child) => foldersBelow(join(folder, child.name))), folder];
}

/** Whether a process is in the cgroup or below it, by its `/proc/<pid>/cgroup`. */
export function isInCgroup(pid: number, cgroup: string): boolean {
  const membership = readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  return membership.split('\n').some((line) => {
    const path = line.split(':').slice(2).join(':');
    return path === cgroup || path.startsWith(`${cgroup}/`);
  });
}

/** Removes a cgroup that has no processes any more. Returns the folders that resist. */
export async function removeCgroup(cgroup: string, timeoutMs = 5000): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    for (const folder of cgroupFolders(cgroup)) {
      try {
        rmdirSync(folder);
      } catch {
        // The kernel takes a moment to let go of processes that have just ended.
      }
    }
    const left = cgroupFolders(cgroup);
    if (left.length === 0 || Date.now() > deadline) return left;
    await sleep(20);
  }
}

/** Returns the CPU time of a cgroup and all that was ever in it, in milliseconds. */
export function cpuOfCgroup(cgroup: string, root = '/sys/fs/cgroup'): number {
  const first = join(root, 'cpuacct', cgroup, 'cpuacct.usage');
  if (existsSync(first)) return Number(readFileSync(first, 'utf8')) / 1e6;
  return Number(/^usage_usec (\d+)$/m.exec(readFileSync(join(root, cgroup, 'cpu.stat'), 'utf8'))![1]) / 1000;
}
