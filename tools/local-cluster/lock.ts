import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from './progress.ts';
import { isAlive, ownIdentity } from './sandbox/identity.ts';
import type { ProcessIdentity } from './sandbox/identity.ts';

const POLL_MS = 200;

/**
 * Holds `file` while `work` runs, so that only one process at a time does it. A lock whose holder is gone has no
 * effect.
 */
export async function withLock<T>(file: string, waitingFor: string, progress: Progress, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  if (!acquire(file)) {
    await progress.step(`waiting for another process to ${waitingFor}`, async () => {
      while (!acquire(file)) await sleep(POLL_MS);
    });
  }
  const release = () => {
    if (isDeepStrictEqual(readHolder(file), plain(ownIdentity()))) rmSync(file, { force: true });
  };
  process.on('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Holds the lock of a cluster of a cache folder while `work` runs. */
export function withClusterLock<T>(cache: string, name: string, progress: Progress, work: () => Promise<T>): Promise<T> {
  return withLock(join(cache, `cluster-${name}.lock`), `bring up or remove the cluster ${name}`, progress, work);
}

function acquire(file: string): boolean {
  // Written aside and linked into place: no process reads a lock that is half written.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify(ownIdentity()));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = readHolder(file);
    if (holder && !isAlive(holder)) removeStale(file);
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Takes a lock away whose holder is gone, unless another process did so first and holds it by now. */
function removeStale(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    const holder = readHolder(aside);
    if (holder && isAlive(holder)) linkSync(aside, file);
  } catch (error) {
    // Gone already, or taken again.
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** As it comes out of a file. */
function plain(identity: ProcessIdentity): unknown {
  return JSON.parse(JSON.stringify(identity));
}

function readHolder(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined; // released in the meantime
  }
}
