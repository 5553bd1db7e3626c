/* Bundles several programs at once: what more than one of them needs is in a file that they share. */
import { basename } from 'node:path';
import { build, transform, type BuildOptions, type Metafile } from 'esbuild';

/** A file of a bundle. */
export interface BundledFile {
  readonly name: string;
  readonly text: string;
}

/** Files, and what they are made of. */
export interface SplitBundle {
  readonly files: readonly BundledFile[];
  /** Sources, relative to the working folder. */
  readonly inputs: readonly string[];
}

/** The first step writes it so that names can be found, the second one as short as it can be. */
const SPLIT: BuildOptions = { bundle: true, splitting: true, format: 'esm', write: false, metafile: true, minify: false, minifySyntax: true, outExtension: { '.js': '.cjs' } };

/**
 * Bundles programs into CommonJS files that share what they have in common.
 *
 * esbuild splits ES modules only; so that is what it makes, and each of them is turned into CommonJS then. A program loads its own file and those that it shares, and no code that only others need.
 *
 * @param entryPoints source files by the names of the programs
 * @param nameOf the name of the file of these programs, without its ending
 * @param options common ones for esbuild; `outdir` is where the files will be
 * @throws {Error} if a module is imported when it is needed in a way that would make a file of it (see `lazyImports`)
 */
export async function splitBundle(entryPoints: Readonly<Record<string, string>>, nameOf: (programs: readonly string[]) => string, options: BuildOptions): Promise<SplitBundle> {
  const { outputFiles = [], metafile } = await build({ ...options, ...SPLIT, entryPoints: { ...entryPoints } });
  const lazy = Object.entries(metafile!.inputs).filter(([, { imports }]) => imports.some(({ kind, external }) => kind === 'dynamic-import' && !external));
  if (lazy.length > 0) throw new Error(`cannot bundle import() in ${lazy.map(([path]) => path).join(', ')}: write import('the/module'), with nothing after it`);

  const names = new Map([...programsOf(metafile!)].map(([file, programs]) => [file, `${nameOf(programs)}.cjs`]));
  if (new Set(names.values()).size < names.size) throw new Error(`files of a bundle have the same name: ${[...names.values()].join(', ')}`);
  const shared = outputFiles.filter(({ path }) => !Object.hasOwn(entryPoints, basename(path, '.cjs')));
  const all: Names = { ofFiles: names, ofExports: new Map(shared.map(({ path, text }) => [basename(path), exportsOf(text)])) };
  const files = await Promise.all(outputFiles.map(async ({ path, text }) => {
    const file = basename(path);
    return { name: names.get(file)!, text: await toCommonJs(renamed(file, text, all), options) };
  }));
  return { files: files.sort((one, other) => one.name.localeCompare(other.name)), inputs: Object.keys(metafile!.inputs) };
}

/** The programs that load a file, by its name. */
function programsOf({ outputs }: Metafile): Map<string, string[]> {
  const programs = new Map<string, string[]>();
  const visit = (path: string, program: string): void => {
    const known = programs.get(basename(path)) ?? [];
    if (known.includes(program)) return;
    programs.set(basename(path), [...known, program].sort());
    for (const imported of outputs[path]!.imports) if (!imported.external) visit(imported.path, program);
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (entryPoint) visit(path, basename(path, '.cjs'));
  return programs;
}

/** Names of files and of their exports, in place of those that esbuild chooses. */
interface Names {
  readonly ofFiles: ReadonlyMap<string, string>;
  /** Of each file that others import: short names by those that esbuild gave. */
  readonly ofExports: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const IMPORT = /^import \{([^}]*)\} from "\.\/([^"]+)";$/gm;
const EXPORT = /^export \{([^}]*)\};$/gm;

/** The names of a list as `import` and `export` have it: `a, b as c`. */
function listed(list: string): { readonly name: string; readonly as: string }[] {
  return list.split(',').map((item) => item.trim()).filter((item) => item !== '').map((item) => {
    const [name = '', as = name] = item.split(' as ');
    return { name, as };
  });
}

function exportsOf(text: string): Map<string, string> {
  const names = [...text.matchAll(EXPORT)].flatMap(([, list]) => listed(list!));
  return new Map(names.map(({ as }, index) => [as, `_${index.toString(36)}`]));
}

function renamed(file: string, text: string, { ofFiles, ofExports }: Names): string {
  const own = ofExports.get(file);
  return text
    .replace(IMPORT, (statement, list: string, from: string) => {
      const names = ofExports.get(from);
      return names ? `import { ${listed(list).map(({ name, as }) => `${names.get(name)!} as ${as}`).join()} } from "./${ofFiles.get(from)!}";` : statement;
    })
    .replace(/^import "\.\/([^"]+)";$/gm, (statement, from: string) => (ofFiles.has(from) ? `import "./${ofFiles.get(from)!}";` : statement))
    .replace(EXPORT, (statement, list: string) => (own ? `module.exports = { ${listed(list).map(({ name, as }) => exported(text, name, own.get(as)!)).join()} };` : statement));
}

/** Returns a property of the exports of a file. An export that never gets another value is a plain property; esbuild would put two getters before each call, which costs up to 2 % of the time of a program. */
function exported(text: string, name: string, as: string): string {
  const local = name.replaceAll('$', '\\$');
  const isFixed = new RegExp(`^(?:(?:async )?function\\*? ${local}\\(|var ${local} = __(?:esm|commonJS)\\(|var (?=__)${local} = )`, 'm').test(text);
  return isFixed ? `${as}: ${name}` : `get ${as}() { return ${name}; }`;
}

/**
 * Turns a file into CommonJS. Names stay, for those who read a stack trace: to shorten them and keep them for that (`keepNames`) takes a call for each function that is made, which was a
 * tenth of the time of the admission webhook.
 */
async function toCommonJs(text: string, { minify, target }: BuildOptions): Promise<string> {
  const prepared = text
    // In ES modules esbuild has to look for a `require`. Here there is one, and tools that follow it should.
    .replace(/\b__require\(/g, 'require(')
    // The paths of modules, which esbuild leaves out itself when names need not be found.
    .replace(/\b(__commonJS|__esm)\(\{\s*"[^"\n]*"\(/g, '$1({_(');
  const { code } = await transform(prepared, { format: 'cjs', platform: 'node', target, minifyWhitespace: minify, minifySyntax: minify, supported: { 'dynamic-import': false }, legalComments: 'none' });
  return code;
}
