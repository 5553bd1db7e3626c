/*
 * `npm run generate` writes what is derived from src and checked in: the CRDs, their schemas and that of pod templates, the reference pages, API.md, the pages of sparkctl and of
 * the flags, and the table of docs/reference/precedence.md.
 * `npm run generate -- --check` says which of them are stale and writes nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileIfChanged } from '../build/compile.ts';
import { CompiledPackage } from './assembly.ts';
import { customResourceDefinitionFile, schemaFile } from './crd.ts';
import { flagsPage } from './flags.ts';
import { podTemplateFile } from './pod-template.ts';
import { precedencePage } from './precedence.ts';
import { referencePage } from './reference.ts';
import { sparkctlPage } from './sparkctl.ts';

const root = join(import.meta.dirname, '../..');
const check = process.argv.includes('--check');

compileIfChanged(root);
const pkg = new CompiledPackage(root);
const { KINDS } = pkg.module('api/kinds');
const outputs = [
  ...KINDS.flatMap((kind: any) => [customResourceDefinitionFile(pkg, kind), schemaFile(pkg, kind, KINDS), referencePage(pkg, kind, KINDS)]),
  podTemplateFile(pkg),
  { path: 'API.md', text: apiMarkdown() },
  precedencePage(pkg, root),
  sparkctlPage(root),
  flagsPage(pkg),
];

const stale = outputs.filter(({ path, text }) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text);
if (check) {
  if (stale.length > 0) {
    console.error(`stale, as src/api or src/constructs changed since they were made:\n${stale.map(({ path }) => `  ${path}`).join('\n')}\nRun \`npm run generate\` and commit what it writes.`);
    process.exit(1);
  }
  console.log(`${outputs.length} generated files are up to date`);
} else {
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`wrote ${path}`);
  }
  if (stale.length === 0) console.log(`${outputs.length} generated files were up to date`);
}

/** jsii-docgen only writes to a file inside the package's folder or given by a relative path. */
function apiMarkdown(): string {
  const folder = mkdtempSync(join(tmpdir(), 'api-md-'));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/jsii-docgen/lib/cli.js'), '-o', join(folder, 'API.md')], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    return readFileSync(join(folder, 'API.md'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
