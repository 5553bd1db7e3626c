import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from './progress.ts';
import { isAlive, ownIdentity } from './sandbox/identity.ts';
import type { ProcessIdentity } from './sandbox/identity.ts';

const POLL_MS = 200;

/**
 * Holds `file` while `work` runs, so that only one process at a time does it. A lock whose holder is gone counts for
 * nothing. Not safe against two processes that find the same stale lock in the same instant; the work then is done
 * twice, and every user of a lock ends with an atomic rename.
 */
export async function withLock<T>(file: string, waitingFor: string, progress: Progress, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  if (!acquire(file)) {
    await progress.step(`waiting for another process to ${waitingFor}`, async () => {
      while (!acquire(file)) await sleep(POLL_MS);
    });
  }
  const release = () => rmSync(file, { force: true });
  process.on('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function acquire(file: string): boolean {
  // Written aside and linked into place: nobody ever reads a lock that is half written.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify(ownIdentity()));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = readHolder(file);
    if (holder && !isAlive(holder)) rmSync(file, { force: true });
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined; // released in the meantime
  }
}
