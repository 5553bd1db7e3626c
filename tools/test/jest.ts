import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { formatError } from '../local-cluster/errors.ts';
import { filesWithFailures, flakyTests, type Report } from './flaky.ts';
import { seedOf } from './seed.ts';
import { timesFile } from './times.ts';

/** How a tier ended. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Files that are tested at a time. By itself jest leaves one core idle. Those of the other tiers have programs beside them that take what there is.
 */
const WORKERS: { readonly [tier: string]: string } = { unit: '100%', api: '2' };

/** Milliseconds for a test without a timeout of its own: many times what it takes, as a machine can be busy with other tiers. */
const timeoutOf = (tier: string) => ({ unit: 120_000, e2e: 1_200_000 }[tier] ?? 600_000);

/** The cases of the others are kept with what spark-submit answers to them: see `test/differential/extent.ts`. */
const isSeeded = (tier: string) => tier !== 'differential';

/** Starts a program with inherited output, somewhere (here, or in the network of a cluster). */
export type Spawn = (argv: readonly string[], environment: NodeJS.ProcessEnv) => ChildProcess;

/** Selects tests of a tier. */
export interface Selection {
  /** Arguments for jest, from the user. */
  readonly args: readonly string[];
  /** Paths of the only files that run; all of them by default. */
  readonly files?: readonly string[];
  /** Files that do not run, as a pattern. */
  readonly without?: string;
}

/**
 * Runs one tier of the tests.
 *
 * Snapshots are never written, and a tier without tests counts as a failure. Its counts are read from the report of jest: a run that
 * crashes before it writes one is a failure, too.
 *
 * Files with failures run a second time. A test that passes then is reported as flaky, and still counts as a failure.
 *
 * @param renew makes a new cluster for the second time, as what the first one left in it would fail it
 */
export async function runJest(
  root: string, tier: string, selection: Selection, environment: NodeJS.ProcessEnv, spawn: Spawn, renew: () => Promise<void> = async () => {},
): Promise<Counts> {
  mkdirSync(join(root, 'test-reports'), { recursive: true });
  rmSync(timesFile(root, tier), { force: true });
  const seed = isSeeded(tier) ? seedOf(root) : {};
  if (seed.FAST_CHECK_SEED && !environment.FAST_CHECK_SEED) console.error(`FAST_CHECK_SEED=${seed.FAST_CHECK_SEED}`);
  const run = async (name: string, { args, files, without }: Selection) => {
    const file = join(root, 'test-reports', `${name}.json`);
    rmSync(file, { force: true });
    // Libraries leave folders behind, such as cdk8s one for each App.
    const temporary = mkdtempSync(join(tmpdir(), 't-'));
    const child = spawn(
      [
        process.execPath, join(root, 'node_modules/jest/bin/jest.js'), '--ci', '--selectProjects', tier, '--json', `--outputFile=${file}`, `--testTimeout=${timeoutOf(tier)}`,
        `--cacheDirectory=${join(root, 'node_modules/.cache/jest')}`,
        ...WORKERS[tier] ? [`--maxWorkers=${WORKERS[tier]}`] : [], ...without ? [`--testPathIgnorePatterns=${without}`] : [], ...args,
        ...files ? ['--runTestsByPath', ...files] : [],
      ],
      { ...seed, ...environment, IS_COMPILED: 'true', TEST_TIMES: timesFile(root, tier), TMPDIR: temporary },
    );
    const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    return { code, report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) as Report : undefined };
  };
  const { code, report } = await run(tier, selection);
  if (!report) {
    console.error(`jest ended with ${code} without a report`);
    return { passed: 0, failed: 1 };
  }
  const { numPassedTests: passed, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTotalTests } = report;
  // With -t the tests that are not meant are pending; without it a skipped test is a forgotten one.
  const isByName = selection.args.some((argument) => /^(-t|--testNamePattern)/.test(argument));
  const skipped = isByName ? 0 : numPendingTests;
  if (skipped > 0) console.error(`${skipped} tests of the tier ${tier} are skipped: remove the skip or the test`);
  if (numTotalTests === 0) console.error(`the tier ${tier} has no tests`);
  const files = filesWithFailures(report);
  if (files.length > 0) {
    console.error(`\n=== ${tier}: once more, to distinguish flaky tests from broken ones: ${files.map((file) => relative(root, file)).join(', ')}`);
    try {
      await renew();
      const again = await run(`${tier}-again`, { args: selection.args, files });
      for (const name of flakyTests(report, again.report)) console.error(`flaky: ${name}`);
    } catch (error) {
      // The first result counts in any case.
      console.error(`they could not run once more: ${formatError(error)}`);
    }
  }
  const failed = numFailedTests + numRuntimeErrorTestSuites + skipped + (numTotalTests === 0 ? 1 : 0);
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}
