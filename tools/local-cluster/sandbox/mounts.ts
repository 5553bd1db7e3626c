import { readFileSync } from 'node:fs';

/** The places where something is mounted, as this process sees them. */
export function mountPoints(): string[] {
  return readFileSync('/proc/self/mounts', 'utf8').split('\n').map((line) => line.split(' ')[1] ?? '').filter((target) => target !== '');
}

/** False for `/` in a chroot into a plain folder. */
export function isMountPoint(path: string): boolean {
  return mountPoints().includes(path);
}
