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

/** Modules by which a file reads others that it does not import, or runs programs that do. */
const READING = ['node:fs', 'node:fs/promises', 'node:child_process'];

/** Texts that only tests without a cluster read, and those that name them. */
const DOCUMENTATION = /^docs\/|\.md$/;
/** The test of the site that is made of them. */
const SITE_TEST = 'test/api/site.test.ts';

/** Tests that need more than the machine. */
const WITH_MORE = /^test\/(load|differential|packages|api|e2e)\//;

/** Returns the paths that differ from a revision, with files that git does not know yet. */
export function changedSince(root: string, revision: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
  const paths = (...args: string[]) => git(...args).split('\0').filter((path) => path !== '');
  // Without renames, so that the old path is among them; with -z, so that git does not quote any.
  const changed = paths('diff', '--name-only', '--no-renames', '-z', git('merge-base', 'HEAD', revision));
  return [...new Set([...changed, ...paths('ls-files', '--others', '--exclude-standard', '-z')])];
}

/**
 * Returns the test files that a change can affect: by what they import, and by the programs that they start.
 *
 * Any change affects a test without a cluster that reads files or runs programs, as it can scan all files of the project.
 * A tool also affects the tests that need a cluster or packages, which it can build or run. Documentation affects those that need
 * neither, those that name its path, and that of the site. Any other file that is not a source, such as package.json, affects all tests.
 */
export function affectedTests({ tests, imports, readers }: Dependencies, changed: readonly string[]): { readonly affected: string[]; readonly skipped: string[] } {
  const isAffected = (test: string) => {
    const reached = reach(test, imports);
    const isReader = !WITH_MORE.test(test) && [...reached].some((path) => readers.has(path));
    return changed.some((path) => isReader || reached.has(path) || isAffectedOtherwise(test, path, imports.has(path)));
  };
  const affected = tests.filter(isAffected);
  return { affected, skipped: tests.filter((test) => !affected.includes(test)) };
}

function isAffectedOtherwise(test: string, path: string, isImported: boolean): boolean {
  if (/^test\/.*\.test\.ts$/.test(path)) return false;
  if (path.startsWith('src/') && isImported) return OF_WHOLE_PACKAGE.some((folder) => test.startsWith(folder));
  if (path.startsWith('test/') && isImported) return false;
  if (path.startsWith('tools/')) return WITH_MORE.test(test);
  return !DOCUMENTATION.test(path) || !WITH_MORE.test(test) || test === SITE_TEST;
}

/** Imports of test files and of what they import. Paths are from the root. */
export interface Dependencies {
  readonly tests: readonly string[];
  /** Files that a file imports, and sources of the programs that it starts. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Files of tests and tools that read other files or run programs. */
  readonly readers: ReadonlySet<string>;
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
  const inputs = Object.entries(metafile.inputs);
  const imports = new Map(inputs.map(([input, { imports: found }]) => {
    const text = readFileSync(join(root, input.replace(ATTRIBUTES, '')), 'utf8');
    return [pathOf(input), [...found.filter(({ external }) => !external).map(({ path }) => pathOf(path)), ...programsIn(text), ...documentationIn(text)]];
  }));
  const isReader = ([input, { imports: found }]: (typeof inputs)[number]) => /^(test|tools)\//.test(input) && found.some(({ path }) => READING.includes(path));
  return { tests, imports, readers: new Set(inputs.filter(isReader).map(([input]) => pathOf(input))) };
}

/** Attributes of an import, which esbuild appends to some inputs. */
const ATTRIBUTES = / with \{.*$/;

/** Returns the path of an input, and of the source if it is compiled. */
function pathOf(input: string): string {
  return input.replace(ATTRIBUTES, '').replace(/^lib\/(.*)\.js$/, 'src/$1.ts');
}

function documentationIn(text: string): string[] {
  return text.match(/\b(?:docs\/[\w/-]+|[A-Z]+)\.md\b/g) ?? [];
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
