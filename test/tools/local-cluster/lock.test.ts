import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../../tools/local-cluster/lock';
import { silent } from '../../../tools/local-cluster/progress';

const folder = mkdtempSync(join(tmpdir(), 'lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('one at a time, and nothing is left', async () => {
  const file = join(folder, 'one');
  let inside = 0;
  let most = 0;
  await Promise.all([1, 2, 3].map(() => withLock(file, 'test', silent, async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  })));
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock whose holder is gone counts for nothing', async () => {
  const file = join(folder, 'stale');
  writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }));
  expect(await withLock(file, 'test', silent, async () => 'done')).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock that another process took meanwhile is not released', async () => {
  const file = join(folder, 'other');
  await withLock(file, 'test', silent, async () => writeFileSync(file, JSON.stringify({ pid: 1, started: 'x' })));
  expect(existsSync(file)).toBe(true);
});
