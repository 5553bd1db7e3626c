/* The memory for each object bounds how many the operator can handle. Measured after garbage collection, so that it is the same on any machine. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/**
 * Bytes of the heap for each object. The result can be 4 % more, as versions of Node differ, and 10 % less: who makes it less writes it down here, so that it does
 * not grow back unseen.
 */
const BUDGET = { executor: 480, largestPod: 5_440, application: 3_090, whole: 42_500, facts: 53_600 };

const folder = mkdtempSync(join(tmpdir(), 'kept-in-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** In a process of its own: what tests have left is collected at any time. */
function kept(): typeof BUDGET {
  const outfile = join(folder, 'measure.cjs');
  buildSync({ entryPoints: [join(__dirname, 'helpers/kept-in-memory.ts')], bundle: true, platform: 'node', outfile, logLevel: 'error' });
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', outfile], { encoding: 'utf8' }));
}

test('one of five executors of an application, with its place in the index by application; the largest pod; an application that runs with 5 executors; the largest that is kept whole, and the largest facts', () => {
  const bytes = kept();
  for (const what of ['executor', 'largestPod', 'application', 'whole', 'facts'] as const) {
    expect(`${what} ${bytes[what] < BUDGET[what] * 1.04 ? 'fits' : bytes[what]}`).toBe(`${what} fits`);
    expect(`${what} ${bytes[what] > BUDGET[what] * 0.9 ? 'is written down' : bytes[what]}`).toBe(`${what} is written down`);
  }
});
