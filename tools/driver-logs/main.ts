/*
 * `node tools/driver-logs/main.ts [NAME…]`: runs programs that fail with real Spark, and writes the ends of their drivers' logs
 * to test/explain/driver-logs. Records all, or those whose files' names begin with a NAME. See README.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { formatError } from '../local-cluster/errors.ts';
import { terminalProgress } from '../local-cluster/progress.ts';
import { stopCommands } from '../local-cluster/run.ts';
import { CASES } from './cases.ts';
import { logFile } from './case.ts';
import { record } from './record.ts';

const FOLDER = join(import.meta.dirname, '../../test/explain/driver-logs');
/** Priority of this process and of those that it starts: recording takes long, and other work on the machine comes first. */
const NICENESS = 15;
const EXIT_CODES = join(FOLDER, 'exit-codes.json');

type ExitCodes = Record<string, { readonly exitCode: number; readonly spark: string }>;

const names = process.argv.slice(2);
const chosen = CASES.filter((test) => names.length === 0 || names.some((start) => logFile(test).startsWith(start)));
const progress = terminalProgress();
mkdirSync(FOLDER, { recursive: true });
setPriority(NICENESS);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => { stopCommands(); process.exit(130); });
let wrong = 0;
for (const test of chosen) {
  const file = logFile(test);
  try {
    const { exitCode, log } = await progress.step(file, () => record(test, progress));
    writeFileSync(join(FOLDER, file), log);
    writeExitCodes({ ...readExitCodes(), [file]: { exitCode, spark: test.spark } });
    if (exitCode !== test.exitCode) report(`${file}: exit code ${exitCode} instead of ${test.exitCode}`);
    if (!log.includes(test.contains)) report(`${file}: the log lacks ${JSON.stringify(test.contains)}`);
  } catch (error) {
    report(`${file}: ${formatError(error)}`);
  }
}
if (wrong > 0) process.exitCode = 1;

function report(line: string): void {
  wrong += 1;
  process.stderr.write(`${line}\n`);
}

function readExitCodes(): ExitCodes {
  try {
    return JSON.parse(readFileSync(EXIT_CODES, 'utf8')) as ExitCodes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function writeExitCodes(codes: ExitCodes): void {
  writeFileSync(EXIT_CODES, `${JSON.stringify(Object.fromEntries(Object.entries(codes).sort(([a], [b]) => (a < b ? -1 : 1))), undefined, 2)}\n`);
}
