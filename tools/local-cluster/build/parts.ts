import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../lock.ts';
import type { Progress } from '../progress.ts';
import type { Needs } from '../requirements.ts';
import { contentKey } from './content.ts';

/** Something that takes long to make and is kept for the next cluster, the next clone, and the next month. */
export interface Part {
  readonly name: string;
  /** Inputs. Other inputs make another part; the same ones never have to be built twice. */
  readonly inputs: Readonly<Record<string, string | Buffer>>;
  /** The parts that it is made out of. Their inputs are its own as well. */
  readonly requires?: readonly Part[];
  /** Requirements on the machine that builds it. */
  readonly needs: Needs;
  /** Message to the user during the build. */
  readonly label: string;
  /** Fills the folder, out of the folders of the parts that it requires. Commands write to the log. */
  build(folder: string, log: string, required: readonly string[]): Promise<void>;
}

const UNUSED_DAYS = 30;

export function partKey(part: Part): string {
  return contentKey({ ...part.inputs, requires: (part.requires ?? []).map(partKey).join(' ') });
}

export function partFolder(cache: string, part: Part): string {
  return join(cache, `${part.name}-${partKey(part)}`);
}

export function isBuilt(cache: string, part: Part): boolean {
  return existsSync(partFolder(cache, part));
}

/** Returns the requirements of the parts that are not built yet, and of the parts that they are made of. */
export function neededFor(cache: string, parts: readonly Part[]): Needs {
  const all = parts.filter((part) => !isBuilt(cache, part)).map((part) => {
    const before = neededFor(cache, part.requires ?? []);
    return { programs: [...part.needs.programs, ...before.programs], tools: [...part.needs.tools, ...before.tools] };
  });
  return {
    programs: [...new Set(all.flatMap(({ programs }) => programs))],
    tools: [...new Set(all.flatMap(({ tools }) => tools))],
  };
}

/** The folder with the part in it, built if need be. */
export async function obtain(cache: string, part: Part, progress: Progress): Promise<string> {
  const folder = partFolder(cache, part);
  if (!existsSync(folder)) {
    // Not all at once: the parts of one image are mostly made of each other.
    const required: string[] = [];
    for (const requirement of part.requires ?? []) required.push(await obtain(cache, requirement, progress));
    await withLock(`${folder}.lock`, `finish ${part.label}`, progress, async () => {
      if (!existsSync(folder)) await progress.step(part.label, () => build(cache, part, folder, required));
    });
    removeUnused(cache, part);
  }
  const now = new Date();
  utimesSync(folder, now, now);
  return folder;
}

async function build(cache: string, part: Part, folder: string, required: readonly string[]): Promise<void> {
  const unfinished = `${folder}.building`; // of this process alone, which has the lock
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const logs = join(cache, 'logs');
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `${part.name}-${partKey(part)}.log`);
  rmSync(log, { force: true });
  process.umask(0o022); // what ends up in images must be readable by their users
  await part.build(unfinished, log, required);
  renameSync(unfinished, folder);
}

/** Removes other states of the same part that have been unused for a long time. */
function removeUnused(cache: string, part: Part): void {
  const limit = Date.now() - UNUSED_DAYS * 24 * 3600 * 1000;
  const pattern = new RegExp(`^${part.name}-[0-9a-f]{12}(\\.building)?$`);
  for (const entry of readdirSync(cache)) {
    const path = join(cache, entry);
    if (pattern.test(entry) && statSync(path).mtimeMs < limit) rmSync(path, { recursive: true, force: true });
  }
}
