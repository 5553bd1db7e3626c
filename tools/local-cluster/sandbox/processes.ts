import { readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readStat } from './identity.ts';

/** A running process, with the number that it has outside of the cluster. */
export interface RunningProcess {
  readonly pid: number;
  /** The name that it was started by. */
  readonly program: string;
  readonly args: readonly string[];
}

/** All processes for which `matches` holds, zombies left out. */
export function findProcesses(matches: (pid: number) => boolean): RunningProcess[] {
  const found: RunningProcess[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    try {
      if (!matches(pid)) continue;
      const stat = readStat(pid);
      if (!stat || stat.state === 'Z') continue;
      const [command = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
      found.push({ pid, program: basename(command), args });
    } catch {
      // ended while we were looking
    }
  }
  return found;
}

export type Namespace = 'net' | 'pid' | 'mnt';

/** Returns the identity of a namespace, such as `pid:[4026532269]`. */
export function namespaceOf(pid: number | 'self', type: Namespace): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${type}`);
  } catch {
    return undefined;
  }
}

/** The identity of the network namespace that a file such as `/run/netns/spark-local` keeps. */
export function namespaceOfFile(file: string): string | undefined {
  try {
    return `net:[${statSync(file).ino}]`;
  } catch {
    return undefined;
  }
}

/** This process, its parent, and so on: what `down` must not kill when it is called from inside of a cluster. */
export function ownAncestry(): ReadonlySet<number> {
  const ancestry = new Set<number>();
  for (let pid = process.pid; pid > 0 && !ancestry.has(pid); pid = readStat(pid)?.parent ?? 0) ancestry.add(pid);
  return ancestry;
}

/** Kills processes until `find` finds none. Returns those that are left when the time is up. */
export async function killAll(find: () => RunningProcess[], timeoutMs = 10_000): Promise<RunningProcess[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = find();
    if (found.length === 0 || Date.now() > deadline) return found;
    for (const { pid } of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // gone already
      }
    }
    await sleep(20);
  }
}
