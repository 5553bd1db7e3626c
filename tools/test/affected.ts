import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundled programs that files start, and the sources that they are made from. */
const PROGRAMS: { readonly [path: string]: string } = {
  'runtime/operator.cjs': 'src/bin/operator.ts',
  'runtime/sparkctl.cjs': 'src/bin/sparkctl.ts',
  'runtime/client.cjs': 'src/client/index.ts',
};

/** Tests of these folders run an image or the packed package, which have all of src. */
const OF_WHOLE_PACKAGE = ['test/e2e/', 'test/packages/'];

/** Texts that only tests without a cluster read. */
const DOCUMENTATION = /^docs\/|\.md$/;

/** Tests that need more than the machine. */
const WITH_MORE = /^test\/(load|differential|packages|api|e2e)\//;

/** Returns the paths that differ from a revision, with files that git does not know yet. */
export function changedSince(root: string, revision: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter((line) => line !== '');
  const [base] = git('merge-base', 'HEAD', revision);
  return [...new Set([...git('diff', '--name-only', base!), ...git('ls-files', '--others', '--exclude-standard')])];
}

/**
 * Returns the test files that a change can affect: by what they import, and by the programs that they start.
 *
 * A tool also affects the tests that need a cluster or packages, which it may build or run. Documentation affects those that need
 * neither. Any other file that is not a source, such as package.json, affects all tests.
 */
export function affectedTests({ tests, imports }: Dependencies, changed: readonly string[]): { readonly affected: string[]; readonly skipped: string[] } {
  const isAffected = (test: string) => {
    const reached = reach(test, imports);
    return changed.some((path) => reached.has(path) || isAffectedOtherwise(test, path, imports.has(path)));
  };
  const affected = tests.filter(isAffected);
  return { affected, skipped: tests.filter((test) => !affected.includes(test)) };
}

function isAffectedOtherwise(test: string, path: string, isImported: boolean): boolean {
  if (/^test\/.*\.test\.ts$/.test(path)) return false;
  if (path.startsWith('src/') && isImported) return OF_WHOLE_PACKAGE.some((folder) => test.startsWith(folder));
  if (path.startsWith('test/') && isImported) return false;
  if (path.startsWith('tools/')) return WITH_MORE.test(test);
  return !DOCUMENTATION.test(path) || !WITH_MORE.test(test);
}

/** Imports of test files and of what they import. Paths are from the root. */
export interface Dependencies {
  readonly tests: readonly string[];
  /** Files that a file imports, and sources of the programs that it starts. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

/** Reads the imports of all tests and of what they import. */
export async function readDependencies(root: string): Promise<Dependencies> {
  const tests = globSync('test/**/*.test.ts', { cwd: root }).sort();
  const { metafile } = await build({
    entryPoints: [...tests, ...Object.values(PROGRAMS)],
    absWorkingDir: root,
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.md': 'text', '.svg': 'text', '.css': 'text', '.html': 'text', '.yaml': 'text' },
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const imports = new Map(Object.entries(metafile.inputs).map(([input, { imports: found }]) => {
    const path = pathOf(input);
    return [path, [...found.filter(({ external }) => !external).map((one) => pathOf(one.path)), ...programsIn(readFileSync(join(root, path), 'utf8'))]];
  }));
  return { tests, imports };
}

/** Returns the path of an input, which esbuild may follow by attributes of its import. */
function pathOf(input: string): string {
  return input.replace(/ with \{.*$/, '');
}

function programsIn(text: string): string[] {
  return Object.entries(PROGRAMS).filter(([path]) => text.includes(path)).map(([, source]) => source);
}

/** Returns a file with all that it imports, directly or not. */
function reach(file: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...imports.get(next) ?? []);
  }
  return reached;
}
