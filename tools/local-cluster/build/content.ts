import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * A short name for what something is made of: equal inputs, in whatever order, give equal keys. Names and lengths are
 * part of it, so that no two different sets of inputs run together to the same text.
 */
export function contentKey(inputs: Readonly<Record<string, string | Buffer>>): string {
  const hash = createHash('sha256');
  for (const name of Object.keys(inputs).sort()) {
    const value = Buffer.from(inputs[name]!);
    hash.update(`${JSON.stringify(name)} ${value.length}\n`).update(value);
  }
  return hash.digest('hex').slice(0, 12);
}

/** The files of a folder and what is below it, as inputs of a key. Whether a file is executable is part of them. */
export function folderInputs(folder: string, accept: (path: string) => boolean = () => true): Record<string, Buffer> {
  const inputs: Record<string, Buffer> = {};
  const visit = (relative: string) => {
    for (const entry of readdirSync(join(folder, relative))) {
      const path = join(relative, entry);
      if (!accept(path)) continue;
      const stat = lstatSync(join(folder, path));
      if (stat.isDirectory()) visit(path);
      else if (stat.isSymbolicLink()) inputs[`${path} link`] = Buffer.from(readlinkSync(join(folder, path)));
      else inputs[`${path} ${isExecutable(stat.mode) ? 'executable' : 'plain'}`] = readFileSync(join(folder, path));
    }
  };
  visit('');
  return inputs;
}

export function isExecutable(mode: number): boolean {
  return Math.floor(mode / 0o100) % 2 === 1;
}

/** The SHA-256 of a file of any size. */
export async function fileDigest(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}
