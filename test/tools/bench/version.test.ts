import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { versionOf } from '../../../tools/bench/version.ts';

const root = mkdtempSync(join(tmpdir(), 'version-'));
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test.each([
  ['runtime/operator.cjs', true], ['runtime/part-operator-sparkctl.cjs', true], ['lib/constructs/spark-operator.js', true],
  ['runtime/part-sparkctl.cjs', false], ['lib/client/index.js', false], ['lib/constructs/spark-operator.d.ts', false],
])('a change of %s makes another version: %s', (path, isAnother) => {
  write('runtime/operator.cjs', 'a');
  write(path, 'one');
  const before = versionOf(root);
  expect(before).toMatch(/^[0-9a-f]{12}$/);
  expect(versionOf(root)).toBe(before);
  write(path, 'two');
  expect(versionOf(root) !== before).toBe(isAnother);
});
