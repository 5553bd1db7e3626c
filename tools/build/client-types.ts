/*
 * Writes the types of the client (src/client) beside those of the constructs: lib/client, and what they are made of. It uses the files that jsii has written there, so that props of the
 * constructs and of the client are the same types. The client's types must not lead into the operator, whose own are not in the package.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const lib = join(root, 'lib');
const ENTRY = 'client/index.d.ts';

/** Folders whose types are written here. Those of all others are jsii's. */
const OWN = ['client', 'model', 'kube'];

/** The declarations of the client and of all that it imports, by their paths in lib. */
function declarations(): Map<string, string> {
  const program = ts.createProgram([join(root, 'src/client/index.ts')], {
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    rootDir: join(root, 'src'),
    outDir: lib,
  });
  const written = new Map<string, string>();
  program.emit(undefined, (file, text) => written.set(relative(lib, file), text), undefined, true);
  return written;
}

/** The paths of what a declaration imports, without ending. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/\b(?:from |import\()['"](\.[^'"]*)['"]/g)].map(([, imported]) => posix.join(posix.dirname(path), imported!));
}

const all = declarations();
const waiting = [ENTRY];
const done = new Set<string>();
for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
  if (done.has(path)) continue;
  done.add(path);
  const text = all.get(path);
  if (text === undefined) throw new Error(`there are no types for ${path}`);
  for (const imported of importsOf(path, text)) {
    const declaration = `${imported}.d.ts`;
    if (OWN.some((folder) => declaration.startsWith(`${folder}/`))) waiting.push(declaration);
    else if (!existsSync(join(lib, declaration))) throw new Error(`the types of the client, in ${path}, need ${declaration}, which is not in the package: keep it out of what is exported`);
  }
  mkdirSync(dirname(join(lib, path)), { recursive: true });
  writeFileSync(join(lib, path), text);
}
console.log(`types of the client: ${[...done].sort().join(', ')}`);
