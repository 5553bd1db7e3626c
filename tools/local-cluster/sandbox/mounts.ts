import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The places where something is mounted, as this process sees them. */
export function mountPoints(): string[] {
  return readFileSync('/proc/self/mounts', 'utf8').split('\n').map((line) => line.split(' ')[1] ?? '').filter((target) => target !== '');
}

/** The beginning of a command that runs another one with mounts of its own, and a proper root, for which it needs an empty folder. */
export function privateMounts(tool: string, root: string): readonly [string, ...string[]] {
  return ['unshare', '--mount', '--propagation', 'unchanged', 'sh', join(tool, 'sandbox', 'private-mounts.sh'), root];
}

/** False for `/` in a chroot into a plain folder. */
export function isMountPoint(path: string): boolean {
  return mountPoints().includes(path);
}
