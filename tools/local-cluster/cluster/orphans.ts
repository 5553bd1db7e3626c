import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withClusterLock } from '../lock.ts';
import { clusterPaths, type ClusterPaths } from '../paths.ts';
import type { Progress } from '../progress.ts';
import { namespaceOf, namespaceOfFile } from '../sandbox/processes.ts';
import { findInits, type RunningInit } from '../sandbox/sandbox.ts';
import { removeRemains } from './down.ts';

/** Facts of a process whose arguments are those of the first process of a cluster. Any process can have these arguments. */
export interface InitFacts {
  readonly user: number;
  /** Whether it runs in the network namespace of the cluster that it names. */
  readonly isInNetwork: boolean;
  /** Whether its state folder is there, for it or for us. In a container the folder is elsewhere for us. */
  readonly hasFolder: boolean;
}

/**
 * Returns the clusters whose folder was deleted while they ran: no command finds them by it any more.
 *
 * A name that a cluster with a folder has too is left out, as both would have the same network and cgroup.
 */
export function orphansAmong(inits: readonly RunningInit[], factsOf: (init: RunningInit, paths: ClusterPaths) => InitFacts): ClusterPaths[] {
  const known = inits.flatMap((init) => {
    const paths = pathsOf(init);
    return paths ? [{ paths, ...factsOf(init, paths) }] : [];
  }).filter(({ user, isInNetwork }) => user === 0 && isInNetwork);
  const named = new Set(known.filter(({ hasFolder }) => hasFolder).map(({ paths }) => paths.name));
  return known.filter(({ hasFolder, paths }) => !hasFolder && !named.has(paths.name)).map(({ paths }) => paths);
}

function pathsOf({ cluster, state }: RunningInit): ClusterPaths | undefined {
  try {
    const paths = clusterPaths(cluster, dirname(dirname(state)));
    return paths.state === state ? paths : undefined;
  } catch {
    return undefined; // no name of a cluster
  }
}

/** Removes the clusters whose folder was deleted while they ran, each under its own lock. One that cannot be removed is reported. */
export async function removeOrphans(progress: Progress): Promise<void> {
  for (const paths of orphansAmong(findInits(), readFacts)) {
    const cache = dirname(dirname(paths.state));
    await withClusterLock(cache, paths.name, progress, async () => {
      if (!orphansAmong(findInits(), readFacts).some(({ state }) => state === paths.state)) return;
      await removeRemains(paths);
      progress.note(`The cluster ${paths.name} is removed: its folder ${paths.state} was deleted while it ran.`);
    }).catch((error: Error) => progress.note(error.message));
  }
}

function readFacts({ pid, state }: RunningInit, { netnsFile }: ClusterPaths): InitFacts {
  const root = `/proc/${pid}/root`;
  const network = namespaceOf(pid, 'net');
  try {
    return {
      user: statSync(`/proc/${pid}`).uid,
      isInNetwork: network !== undefined && network === namespaceOfFile(netnsFile),
      // Only if it is certainly not there.
      hasFolder: isThere(join(root, state)) || isThere(state),
    };
  } catch {
    return { user: -1, isInNetwork: false, hasFolder: true }; // it ended, or its root cannot be read
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
