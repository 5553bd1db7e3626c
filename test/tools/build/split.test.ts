import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lazyBuiltins, lazyImports } from '../../../tools/build/plugins.ts';
import { splitBundle } from '../../../tools/build/split.ts';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'split-')); });
afterEach(() => rmSync(folder, { recursive: true }));

/** Bundles the programs `one` and `other`, as they are in the package. @returns the names of the files */
async function bundle(sources: Readonly<Record<string, string>>): Promise<readonly string[]> {
  mkdirSync(join(folder, 'src'));
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, `src/${name}.ts`), text);
  const { files } = await splitBundle({ one: 'src/one.ts', other: 'src/other.ts' }, (programs) => programs.join('+'), {
    absWorkingDir: folder, outdir: folder, platform: 'node', target: 'node20', minify: true, plugins: [lazyImports, lazyBuiltins],
  });
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  return files.map(({ name }) => name);
}

const run = (program: string) => execFileSync(process.execPath, [join(folder, program)], { encoding: 'utf8' }).trim().split('\n');

test('what programs share is in one file, and each evaluates what it needs, when it needs it', async () => {
  const files = await bundle({
    shared: 'export let count = 0; export function increase() { count += 1; } export class Shared {}',
    loud: "import { createHash } from 'node:crypto'; console.log('loud'); export const loud = () => createHash('sha256').update('').digest('hex').length;",
    one: `import { count, increase, Shared } from './shared'; import { isIP } from 'node:net';
      increase(); console.log(count, increase.name, Shared.name, isIP('::1')); void (async () => { const { loud } = await import('./loud'); console.log(loud()); })();`,
    other: "import { count } from './shared'; console.log(count); export const later = () => import('./loud');",
  });
  expect(files).toEqual(['one.cjs', 'one+other.cjs', 'other.cjs']);
  expect(run('one.cjs')).toEqual(['1 increase Shared 6', 'loud', '64']);
  expect(run('other.cjs')).toEqual(['0']);
});

test('a way to import later that would make another file is refused', async () => {
  const source = "void import('./shared').then(console.log);";
  await expect(bundle({ shared: 'export const a = 1;', one: source, other: source })).rejects.toThrow("cannot bundle import() in src/one.ts, src/other.ts: write import('the/module'), with nothing after it");
});
