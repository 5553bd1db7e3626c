/*
 * Causes that users read for real drivers: their logs are whole in test/explain/driver-logs, recorded with real Spark.
 * `UPDATE_CAUSES=1` writes expected-causes.json, which people then compare with the logs.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { causeInMessage } from '../../../src/model/cause/container-cause';
import { causeInLog } from '../../../src/model/cause/log-cause';
import { causeInStatus } from '../../../src/model/cause/status-cause';
import { cpuTime } from '../../helpers/cpu-time';

const FOLDER = join(__dirname, '../../explain/driver-logs');
const EXPECTED = join(__dirname, 'expected-causes.json');

/** Bytes of the end of a log that the kubelet keeps. */
const KEPT = 2_048;

/** Cause of one driver: in the status if it differs, because the kubelet keeps only the end of the log. */
interface Expected {
  readonly cause: string;
  readonly inStatus?: string;
}

const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.log')).sort();
const exitCodes = JSON.parse(readFileSync(join(FOLDER, 'exit-codes.json'), 'utf8')) as Record<string, { readonly exitCode: number; readonly reason?: string }>;
const logOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

function causesOf(name: string): Expected {
  const { exitCode, reason = 'Error' } = exitCodes[name]!;
  const log = logOf(name);
  const kept = causeInMessage({ exitCode, reason, message: Buffer.from(log).subarray(-KEPT).toString() });
  const message = [`driver container failed with ExitCode: ${exitCode}, Reason: ${reason}`, kept].filter(Boolean).join('; ');
  const [cause, inStatus] = [causeInStatus(message, { log }), causeInStatus(message)];
  return { cause, ...(inStatus !== cause && { inStatus }) };
}

if (process.env.UPDATE_CAUSES) {
  writeFileSync(EXPECTED, `${JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, causesOf(name)])), null, 2)}\n`);
}

const expected = JSON.parse(readFileSync(EXPECTED, 'utf8')) as Record<string, Expected>;

test('each log has an expected cause', () => expect(Object.keys(expected).sort()).toEqual(NAMES));

test.each(NAMES)('%s', (name) => expect(causesOf(name)).toEqual(expected[name]));

/** Texts that are never a cause. */
const NO_CAUSE = /^\s*at \S+\(|\.\.\. \d+ more|\b(?:INFO|DEBUG) \w+:|py4j|^\s|\n|^Caused by|^Traceback|^File "/;

test.each(NAMES)('%s, cut anywhere: one line without frames and without the incomplete first line', (name) => {
  const log = Buffer.from(logOf(name));
  for (let length = Math.min(KEPT, log.length); length > 0; length -= 11) {
    const tail = log.subarray(-length).toString();
    const cause = causeInLog(tail, true);
    expect(cause).toBe(causeInLog(tail.slice(tail.indexOf('\n') + 1 || tail.length), false));
    if (cause === undefined) continue;
    expect(cause).not.toMatch(NO_CAUSE);
    expect(cause.length).toBeLessThanOrEqual(300);
  }
});

test('any text has its cause in linear time', () => {
  const parts = ['at ', 'a.b.', 'Caused by: ', 'File "', '(', 'x'.repeat(50), ' ', ': ', '[A', '10:00:00 ', '\t', '"', 'unresolved dependency: ', 'Lost executor '];
  for (const part of parts) {
    const passed = cpuTime();
    causeInLog(part.repeat(200_000 / part.length), false);
    causeInLog(`${part.repeat(3_000 / part.length)}\n`.repeat(100), false);
    causeInLog(`java.lang.Exception: ${part.repeat(3_000 / part.length)}\n`.repeat(100), false);
    expect(`${part}: ${passed() < 3_000}`).toBe(`${part}: true`);
  }
});

test.each([' ', ';', '; ', ': ', ',', '\t'])('long runs of %j in a message cost little', (part) => {
  const run = part.repeat(3_900 / part.length);
  const traceback = `Traceback (most recent call last):\n  File "/opt/job.py", line 3, in <module>\nValueError: a${run}b\n`;
  const java = `Exception in thread "main" java.lang.IllegalStateException: a${run}b\n\tat com.acme.Job.main(Job.java:3)\n`;
  const passed = cpuTime();
  for (let count = 0; count < 20; count += 1) causeInMessage({ exitCode: 1, reason: 'Error', message: traceback });
  causeInLog(traceback.repeat(100), false);
  causeInLog(java.repeat(100), false);
  expect(passed()).toBeLessThan(2_000);
});
