import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The operator's program with all files that it loads, and the constructs, which install it. */
const WHAT_RUNS = ['runtime/operator.cjs', 'runtime/part-*operator*.cjs', 'lib/**/*.js'];
const DIGITS = 12;

/** Tells what is measured: a part of a hash of what runs, in hexadecimal digits. The same sources make the same. Everything has to be compiled. @param root of the repository */
export function versionOf(root: string): string {
  const hash = createHash('sha256');
  for (const path of globSync(WHAT_RUNS, { cwd: root, exclude: ['lib/client/**'] }).sort()) {
    hash.update(path).update('\0').update(readFileSync(join(root, path))).update('\0');
  }
  return hash.digest('hex').slice(0, DIGITS);
}
