import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'kept-answer-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['node', 'undici'])('an idle connection of the client %s keeps none of its answers in memory', (client) => {
  const outfile = join(folder, 'measure.cjs');
  buildSync({ entryPoints: [join(__dirname, 'helpers/kept-answer.ts')], bundle: true, platform: 'node', outfile, logLevel: 'error' });
  const { lengths, arrayBuffers } = JSON.parse(execFileSync(process.execPath, ['--expose-gc', outfile, client], { encoding: 'utf8' }));
  expect(lengths).toEqual([16 * 2 ** 20, 5]);
  expect(arrayBuffers).toBeLessThan(2 ** 20);
});
