import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { logFile } from '../../../tools/driver-logs/case';
import { CASES } from '../../../tools/driver-logs/cases';

/* Each recorded log belongs to a case in tools/driver-logs, and shows the intended failure. */

const FOLDER = join(__dirname, '../../explain/driver-logs');
const MAX_TOTAL_BYTES = 1024 * 1024;

const logs = readdirSync(FOLDER).filter((name) => name.endsWith('.log')).sort();
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const json = <T>(name: string) => JSON.parse(read(name)) as Record<string, T>;

test('each log has a case, an exit code, and a line written by a person', () => {
  expect(CASES.map(logFile)).toEqual(expect.arrayContaining(logs));
  expect(Object.keys(json('exit-codes.json')).sort()).toEqual(logs);
  expect(Object.keys(json('causes.json')).sort()).toEqual(logs);
});

test('each log shows the failure that its program is for', () => {
  const exitCodes = json<{ exitCode: number; spark: string }>('exit-codes.json');
  for (const test of CASES.filter((one) => logs.includes(logFile(one)))) {
    const file = logFile(test);
    expect({ file, ...exitCodes[file] }).toEqual({ file, exitCode: test.exitCode, spark: test.spark });
    expect(read(file)).toContain(test.contains);
  }
});

test('all logs together are small, and say nothing about the machine that recorded them', () => {
  const texts = logs.map(read);
  expect(texts.reduce((total, text) => total + Buffer.byteLength(text), 0)).toBeLessThan(MAX_TOTAL_BYTES);
  for (const text of texts) expect(text).not.toMatch(/\/root\/|\/home\/(?!spark)|driver-log-/);
});
