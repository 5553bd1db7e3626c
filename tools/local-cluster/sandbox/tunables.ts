import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClusterPaths } from '../paths.ts';
import { bootId } from './identity.ts';

/** The settings of the kernel that a kubelet changes to its taste. They are the machine's, and put back at the end. */
const TUNABLES = [
  'vm/overcommit_memory', 'vm/panic_on_oom', 'kernel/panic', 'kernel/panic_on_oops', 'kernel/keys/root_maxkeys', 'kernel/keys/root_maxbytes',
].map((name) => `/proc/sys/${name}`);

function recordFile(paths: ClusterPaths): string {
  return join(dirname(paths.state), 'kernel-tunables.json');
}

/** Remembers the values from before the machine's first kubelet. */
export function saveTunables(paths: ClusterPaths): void {
  const file = recordFile(paths);
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).boot === bootId()) return;
  const values = Object.fromEntries(TUNABLES.filter((name) => existsSync(name)).map((name) => [name, readFileSync(name, 'utf8')]));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ boot: bootId(), values }));
}

/** To be called when no cluster runs any more. */
export function restoreTunables(paths: ClusterPaths): void {
  const file = recordFile(paths);
  if (!existsSync(file)) return;
  const { boot, values } = JSON.parse(readFileSync(file, 'utf8')) as { boot: string; values: Record<string, string> };
  if (boot === bootId()) {
    for (const [name, value] of Object.entries(values)) {
      if (readFileSync(name, 'utf8') !== value) writeFileSync(name, value);
    }
  }
  rmSync(file);
}
