import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const bench = (...args: readonly string[]) => (
  spawnSync(process.execPath, [join(root, 'tools/bench/main.ts'), ...args], { cwd: root, encoding: 'utf8' })
);

test('--help lists all scenarios', () => {
  const { status, stdout } = bench('--help');
  expect(status).toBe(0);
  for (const name of ['submission', 'paces', 'population', 'finished', 'neighbours', 'scheduled', 'webhook', 'synth']) expect(stdout).toContain(name);
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

test('a quick run replaces its scenario in the file, keeps the others, and leaves the published figures alone', () => {
  const published = ['docs/explain/benchmarks.md', 'bench/figures.json'].map((path) => join(root, path));
  const before = published.map((path) => readFileSync(path, 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'bench-main-'));
  const out = join(folder, 'figures.json');
  const measured = { day: '2026-03-01', seconds: 1, commit: 'abc', processor: 'P', cores: 2, load: 0, doubts: ['a doubt'] };
  const scheduled = { ...measured, figures: { schedules: 10, lag: { p50: 1, p99: 2, max: 3 } } };
  writeFileSync(out, JSON.stringify({ versions: {}, scenarios: { scheduled, synth: { ...measured, figures: [] } } }));
  try {
    const { status, stdout } = bench('--quick', '--only=synth', '--out', out);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Last run of 10 schedules[^]*Synthesizing 1,000 applications[^]*doubtful \(scheduled\): a doubt/);
    const { scenarios } = JSON.parse(readFileSync(out, 'utf8'));
    expect(scenarios.scheduled).toEqual(scheduled);
    expect(scenarios.synth.figures.map(({ applications }: { applications: number }) => applications)).toEqual([10, 100, 1000]);
    expect(scenarios.synth.machine).toEqual({ loops: expect.any(Number), share: expect.any(Number), stolen: expect.any(Number) });
    for (const { whole, memory, bytes } of scenarios.synth.figures) expect(Math.min(whole, memory, bytes)).toBeGreaterThan(0);
    expect(published.map((path) => readFileSync(path, 'utf8'))).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
