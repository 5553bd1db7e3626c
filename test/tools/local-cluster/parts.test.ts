import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { neededFor, obtain, partFolder } from '../../../tools/local-cluster/build/parts.ts';
import type { Part } from '../../../tools/local-cluster/build/parts.ts';
import { silent } from '../../../tools/local-cluster/progress.ts';

let cache: string;
beforeEach(() => { cache = mkdtempSync(join(tmpdir(), 'parts-')); });
afterEach(() => rmSync(cache, { recursive: true }));

function part(options: Partial<Part> = {}): Part {
  return {
    name: 'bread',
    inputs: { flour: 'rye' },
    needs: { programs: [], tools: [] },
    label: 'baking bread',
    build: async (folder) => writeFileSync(join(folder, 'loaf'), 'rye'),
    ...options,
  };
}

test('a part is built once, also when two ask for it at the same time', async () => {
  let builds = 0;
  const slow = part({
    build: async (folder) => {
      builds++;
      await sleep(50);
      writeFileSync(join(folder, 'loaf'), 'rye');
    },
  });
  const [one, other] = await Promise.all([obtain(cache, slow, silent), obtain(cache, slow, silent)]);
  expect(one).toBe(other);
  expect(readFileSync(join(one, 'loaf'), 'utf8')).toBe('rye');
  await obtain(cache, slow, silent);
  expect(builds).toBe(1);
});

test('other inputs make another part, those of what it is made of included', () => {
  const folders = [
    part(), part({ inputs: { flour: 'wheat' } }), part({ requires: [part({ name: 'dough' })] }),
    part({ requires: [part({ name: 'dough', inputs: { flour: 'wheat' } })] }),
  ].map((bread) => partFolder(cache, bread));
  expect(new Set(folders).size).toBe(4);
});

test('a build that fails leaves no part, and the next one starts from nothing', async () => {
  const failing = part({
    build: async (folder) => {
      expect(readdirSync(folder)).toEqual([]);
      writeFileSync(join(folder, 'half'), '');
      throw new Error('the oven is cold');
    },
  });
  await expect(obtain(cache, failing, silent)).rejects.toThrow('the oven is cold');
  await expect(obtain(cache, failing, silent)).rejects.toThrow('the oven is cold');
  expect(existsSync(partFolder(cache, failing))).toBe(false);
  expect(readdirSync(cache).filter((name) => name.endsWith('.lock'))).toEqual([]);
});

test('a lock of a process that is gone does not count', async () => {
  const bread = part();
  writeFileSync(`${partFolder(cache, bread)}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, started: 1, boot: 'x' }));
  expect(existsSync(join(await obtain(cache, bread, silent), 'loaf'))).toBe(true);
});

test('what a part is made of is built before, and handed over', async () => {
  const dough = part({ name: 'dough', build: async (folder) => writeFileSync(join(folder, 'dough'), 'sour') });
  const bread = part({
    requires: [dough],
    build: async (folder, _log, [doughFolder]) => writeFileSync(join(folder, 'loaf'), readFileSync(join(doughFolder!, 'dough'))),
  });
  expect(readFileSync(join(await obtain(cache, bread, silent), 'loaf'), 'utf8')).toBe('sour');
});

test('only what is not built yet needs something of the machine', async () => {
  const dough = part({ name: 'dough', needs: { programs: ['tar'], tools: ['go'] } });
  const bread = part({ requires: [dough], needs: { programs: ['tar'], tools: ['jdk'] } });
  expect(neededFor(cache, [bread])).toEqual({ programs: ['tar'], tools: ['jdk', 'go'] });
  await obtain(cache, dough, silent);
  expect(neededFor(cache, [bread])).toEqual({ programs: ['tar'], tools: ['jdk'] });
  await obtain(cache, bread, silent);
  expect(neededFor(cache, [bread])).toEqual({ programs: [], tools: [] });
});

test('another state of a part is removed when it was not used for a month', async () => {
  const old = await obtain(cache, part({ inputs: { flour: 'spelt' } }), silent);
  const recent = await obtain(cache, part({ inputs: { flour: 'wheat' } }), silent);
  const other = await obtain(cache, part({ name: 'bread-roll' }), silent);
  const longAgo = new Date(Date.now() - 40 * 24 * 3600 * 1000);
  for (const folder of [old, other]) utimesSync(folder, longAgo, longAgo);
  await obtain(cache, part(), silent);
  expect([old, recent, other].map((folder) => existsSync(folder))).toEqual([false, true, true]);
});
