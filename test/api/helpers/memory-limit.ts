import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the memory of processes is limited, in cgroups of version 1 and 2, by the folder and its
 * file of the limit.
 */
const HIERARCHIES = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', limit: 'memory.max' },
] as const;

/**
 * A limit of memory as a pod has it: the kernel kills what needs more, and V8 derives the size of
 * its heap from it.
 */
export class MemoryLimit {
  private readonly folder: string;

  /** @param name the name of its cgroup, which nothing else on the machine has */
  constructor(name: string, bytes: number) {
    const found = HIERARCHIES.find(({ root }) => existsSync(join(root, 'cgroup.procs')) && existsSync(root));
    if (!found) throw new Error('no cgroups are mounted at /sys/fs/cgroup');
    this.folder = join(found.root, `${name}-${process.pid}`);
    mkdirSync(this.folder);
    writeFileSync(join(this.folder, found.limit), String(bytes));
  }

  /** Returns the command line that runs a program under the limit. */
  readonly around = (argv: readonly string[]): string[] => ['/bin/sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', this.folder, ...argv];

  /** Removes it, when what ran under it has ended. */
  remove(): void {
    rmdirSync(this.folder);
  }
}
