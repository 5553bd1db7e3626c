/*
 * `npm run generate` writes what is derived from src and checked in: the CRDs, their schemas and that of pod templates, the reference pages, those of the API, of the commands
 * of sparkctl and of the flags, and the table of docs/reference/precedence.md.
 * `npm run generate -- --check` reports the stale ones and writes nothing.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileIfChanged } from '../build/compile.ts';
import { apiReference } from './api/main.ts';
import { API_FOLDER } from './api/places.ts';
import { CompiledPackage } from './assembly.ts';
import { customResourceDefinitionFile, schemaFile } from './crd.ts';
import { flagsPage } from './flags.ts';
import { podTemplateFile } from './pod-template.ts';
import { precedencePage } from './precedence.ts';
import { referencePage } from './reference.ts';
import { SPARKCTL_FOLDER, sparkctlPages } from './sparkctl.ts';

const root = join(import.meta.dirname, '../..');
const check = process.argv.includes('--check');

await compileIfChanged(root);
const pkg = new CompiledPackage(root);
const { KINDS } = pkg.module('api/kinds');
const outputs = [
  ...KINDS.flatMap((kind: any) => [customResourceDefinitionFile(pkg, kind), schemaFile(pkg, kind, KINDS), referencePage(pkg, kind, KINDS)]),
  podTemplateFile(pkg),
  ...apiReference(pkg, KINDS),
  precedencePage(pkg, root),
  ...sparkctlPages(root),
  flagsPage(pkg),
];

const stale = outputs.filter(({ path, text }) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text);
// Pages of types and commands that do not exist any more.
const superfluous = globSync([`${API_FOLDER}/*.md`, `${SPARKCTL_FOLDER}/*.md`], { cwd: root }).filter((path) => !outputs.some((output) => output.path === path));
if (check) {
  const wrong = [...stale.map(({ path }) => path), ...superfluous];
  if (wrong.length > 0) {
    console.error(`stale, as src/api or src/constructs changed since they were generated:\n${wrong.map((path) => `  ${path}`).join('\n')}\nRun \`npm run generate\` and commit what it writes.`);
    process.exit(1);
  }
  console.log(`${outputs.length} generated files are up to date`);
} else {
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`wrote ${path}`);
  }
  for (const path of superfluous) {
    rmSync(join(root, path));
    console.log(`removed ${path}`);
  }
  if (stale.length + superfluous.length === 0) console.log(`${outputs.length} generated files were up to date`);
}
