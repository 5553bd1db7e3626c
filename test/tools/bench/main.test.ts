import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const bench = (...args: readonly string[]) => (
  spawnSync(process.execPath, [join(root, 'tools/bench/main.ts'), ...args], { cwd: root, encoding: 'utf8' })
);

test('--help lists all scenarios', () => {
  const { status, stdout } = bench('--help');
  expect(status).toBe(0);
  for (const name of ['submission', 'population', 'neighbours', 'scheduled', 'webhook', 'synth']) expect(stdout).toContain(name);
});

test.each([
  [['--only=submission,speed'], 'there is no scenario "speed"'],
  [['--rate=0'], '--rate=0 is not a whole number'],
  [['--fast'], '--fast'],
])('%j is rejected', (args, message) => {
  const { status, stdout, stderr } = bench(...args);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
});

test('--table writes the page from the figures that are checked in, and changes nothing when it is up to date', () => {
  const files = ['docs/benchmarks.md', 'bench/figures.json'].map((path) => join(root, path));
  const before = files.map((file) => [readFileSync(file, 'utf8'), statSync(file).size]);
  expect(bench('--table').status).toBe(0);
  expect(files.map((file) => [readFileSync(file, 'utf8'), statSync(file).size])).toEqual(before);
});
