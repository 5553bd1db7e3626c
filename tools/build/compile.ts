import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** src/ → lib/ and .jsii. Throws after jsii has printed its own messages. */
function compile(root: string): void {
  execFileSync(process.execPath, [join(root, 'node_modules/jsii/bin/jsii'), '--silence-warnings=reserved-word'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Makes lib/ and runtime/operator.cjs, unless they are there and neither sources nor tools changed. Says whether it did. */
export function compileIfChanged(root: string): boolean {
  const stamp = join(root, 'runtime/.sources');
  const hash = hashOfSources(root);
  const upToDate = ['lib/index.js', '.jsii', 'runtime/operator.cjs'].every((path) => existsSync(join(root, path))) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (upToDate) return false;
  compile(root);
  execFileSync(process.execPath, [join(root, 'tools/build/bundle.ts')], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(stamp, hash);
  return true;
}

function hashOfSources(root: string): string {
  const hash = createHash('sha256');
  for (const path of globSync(['src/**/*.ts', 'tools/build/*.ts', 'package.json', 'package-lock.json', 'tsconfig.json'], { cwd: root }).sort()) {
    hash.update(path).update('\0').update(readFileSync(join(root, path))).update('\0');
  }
  return hash.digest('hex');
}
