/*
 * No object keeps the operator busy, as all others wait meanwhile. docs/explain/security.md and docs/reference/bounds.md claim what this test shows.
 *
 * COST_CASES=100000 tries more objects than CI; FAST_CHECK_SEED=N repeats the objects of a run.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import type { Report } from './campaign';

/** Milliseconds of CPU for everything that is done with one object: the reviews of its creation and its update, two passes of its controller, the review of an executor. */
const BUDGET = 500;
const CASES = Number(process.env.COST_CASES ?? 250);
const SEED = Number(process.env.FAST_CHECK_SEED ?? Math.floor(Math.random() * 2 ** 30));

let folder: string;

beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'cost-')); });

afterAll(() => rmSync(folder, { recursive: true }));

test(`${CASES} objects of up to 1.5 MiB cost at most ${BUDGET} ms of CPU each`, async () => {
  // Bundled, and in a process of its own, as the operator runs.
  const outfile = join(folder, 'campaign.cjs');
  buildSync({ entryPoints: [join(__dirname, 'campaign.ts')], bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile, String(CASES), String(SEED), String(BUDGET)], { cwd: join(__dirname, '../../..'), maxBuffer: 2 ** 24 });
  const report: Report = JSON.parse(stdout);
  console.info([`${report.cases} objects, seed ${SEED}, median ${Math.round(report.median)} ms`,
    ...report.worst.map(({ milliseconds, costs, object }) => `${Math.round(milliseconds)} ms ${JSON.stringify(costs, (_, value) => (typeof value === 'number' ? Math.round(value) : value))} ${object}`)].join('\n'));

  expect(report.cases).toBe(CASES);
  expect(report.worst.filter(({ milliseconds }) => milliseconds > BUDGET)).toEqual([]);
}, 3_600_000 * Math.max(1, CASES / 20_000));
