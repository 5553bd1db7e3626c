import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeOrphans } from '../../../tools/local-cluster/cluster/down.ts';
import { silent } from '../../../tools/local-cluster/index.ts';

let folder: string;
let children: ChildProcess[] = [];
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'orphans-')); });
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(folder, { recursive: true, force: true });
});

/** A process that looks like the first one of a cluster: `cluster-init NAME STATE`. */
async function initOf(name: string): Promise<{ readonly child: ChildProcess; readonly state: string }> {
  const state = join(folder, 'cache/clusters', name);
  mkdirSync(state, { recursive: true });
  writeFileSync(join(folder, name), 'process.stdout.write("up"); setInterval(() => {}, 1000);');
  const child = spawn(process.execPath, [name, state], { argv0: 'cluster-init', cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout!, 'data');
  return { child, state };
}

test('a cluster whose folder was deleted while it ran is removed, and another one is left alone', async () => {
  const [orphan, whole] = [await initOf('orphan-of-test'), await initOf('whole-of-test')];
  rmSync(orphan.state, { recursive: true });
  const ended = once(orphan.child, 'exit');
  await removeOrphans(silent);
  await ended;
  expect(orphan.child.signalCode).not.toBeNull();
  expect([whole.child.exitCode, whole.child.signalCode]).toEqual([null, null]);
});
