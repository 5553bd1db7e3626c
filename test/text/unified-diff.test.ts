import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { unifiedDiff } from '../../src/text/unified-diff';

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');

test('changes with three lines around them', () => {
  const before = text('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n');
  const after = text('a', 'b', 'c', 'd', 'E', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o');
  expect(unifiedDiff(before, after)).toEqual(['@@ -2,7 +2,7 @@', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h', '@@ -12,3 +12,4 @@', ' l', ' m', ' n', '+o']);
  expect(unifiedDiff(before, before)).toEqual([]);
  expect(unifiedDiff('', text('a'))).toEqual(['@@ -0,0 +1 @@', '+a']);
});

test('many different lines are replaced as a whole, within bounded memory', () => {
  const lines = (prefix: string) => text(...Array.from({ length: 3_000 }, (_, index) => `${prefix}${index}`));
  expect(unifiedDiff(lines('a'), lines('b'))).toHaveLength(6_001);
});

test('`patch` makes the new text of the old one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unified-diff-'));
  try {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }).map((each) => text(...each));
    fc.assert(fc.property(lines, lines, (before, after) => {
      writeFileSync(join(folder, 'file'), before);
      const input = text('--- file', '+++ file', ...unifiedDiff(before, after));
      if (before === after) return;
      const { status, stdout, stderr } = spawnSync('patch', ['--quiet', '--fuzz=0', '--output=-', 'file'], { cwd: folder, input, encoding: 'utf8' });
      expect({ status, stdout, stderr: stderr.toString() }).toEqual({ status: 0, stdout: after, stderr: '' });
    }), { numRuns: 50 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
