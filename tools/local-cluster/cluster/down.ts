import { existsSync, rmSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '../errors.ts';
import type { ClusterPaths } from '../paths.ts';
import { cgroupFolders, isInCgroup, removeCgroup } from '../sandbox/cgroups.ts';
import { isAlive } from '../sandbox/identity.ts';
import { mountPoints } from '../sandbox/mounts.ts';
import { findProcesses, killAll, namespaceOf, namespaceOfFile, ownAncestry } from '../sandbox/processes.ts';
import type { RunningProcess } from '../sandbox/processes.ts';
import { findInits } from '../sandbox/sandbox.ts';
import { restoreTunables } from '../sandbox/tunables.ts';
import { removeNetwork } from './network.ts';
import { readRecord } from './record.ts';

/** Describes the remains of a cluster; empty if there are none. */
export function remains(paths: ClusterPaths, network = namespaceOfFile(paths.netnsFile)): string[] {
  return [
    ...clusterProcesses(paths, network).map(({ pid, program }) => `process ${pid} (${program})`),
    ...mountsBelow(paths.state).map((mount) => `mount ${mount}`),
    ...cgroupFolders(paths.cgroup).map((folder) => `cgroup ${folder}`),
    ...(existsSync(paths.netnsFile) ? [`network namespace ${paths.netns}`] : []),
    ...(existsSync(paths.state) ? [`folder ${paths.state}`] : []),
  ];
}

/** Names are the machine's: the same one in another cache folder would be the same network and the same cgroup. */
export function refuseForeign(paths: ClusterPaths): void {
  const foreign = findInits().find((init) => init.cluster === paths.name && init.state !== paths.state);
  if (foreign) {
    throw new ToolError(`there is a cluster ${paths.name} on this machine that is not from this cache folder: ${foreign.state}`,
      'Choose another name with --name, or set XDG_CACHE_HOME as it was when that cluster was started.');
  }
}

/** Removes all parts of a cluster that exist, and checks that none is left. */
export async function removeRemains(paths: ClusterPaths): Promise<void> {
  const network = namespaceOfFile(paths.netnsFile);
  // The first process takes all others with it, and the mounts. Its name is searched too, in case its record is gone.
  const record = readRecord(paths);
  await killAll(() => findProcesses((pid) => pid === record?.init.pid && isAlive(record.init))
    .concat(findInits().filter(({ cluster, state }) => cluster === paths.name && state === paths.state)));
  // No process enters the network any more; those in it end with it.
  await removeNetwork(paths);
  await killAll(() => clusterProcesses(paths, network));

  await removeCgroup(paths.cgroup);
  // Never through a mount: what is mounted there is not ours to delete.
  if (mountsBelow(paths.state).length === 0) rmSync(paths.state, { recursive: true, force: true, maxRetries: 5 });

  const left = remains(paths, network);
  if (left.length > 0) {
    throw new ToolError([`parts of the cluster ${paths.name} could not be removed:`, ...left.map((line) => `  ${line}`)].join('\n'));
  }
  if (findInits().length === 0) restoreTunables(paths);
  removeIfEmpty(dirname(paths.state));
}

/**
 * Everything that runs in the cluster's network or its cgroup, commands started by `exec` included. Only this process
 * and its ancestors are spared: `down` might have been called from there.
 */
function clusterProcesses(paths: ClusterPaths, network: string | undefined): RunningProcess[] {
  const spared = ownAncestry();
  return findProcesses((pid) => !spared.has(pid)
    && ((network !== undefined && namespaceOf(pid, 'net') === network) || isInCgroup(pid, paths.cgroup)));
}

function mountsBelow(folder: string): string[] {
  return mountPoints().filter((target) => target === folder || target.startsWith(`${folder}/`));
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // other clusters are in it
  }
}
