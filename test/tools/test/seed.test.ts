import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedOf } from '../../../tools/test/seed.ts';

/** Not that of a hook, which names a repository. */
const OUTSIDE = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'seed-')); });
afterEach(() => rmSync(folder, { recursive: true }));

const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder, env: OUTSIDE, encoding: 'utf8' });

function commit(text: string): void {
  writeFileSync(join(folder, 'file'), text);
  git('add', 'file');
  git('commit', '-q', '-m', 'change');
}

test('it follows from what is tested, whatever the commit says of it', () => {
  git('init', '-q');
  commit('a');
  const seed = seedOf(folder, { CI: 'true' });
  expect(seed).toEqual({ FAST_CHECK_SEED: expect.stringMatching(/^\d+$/) });
  commit('b');
  expect(seedOf(folder, { CI: 'true' })).not.toEqual(seed);
  commit('a');
  expect(seedOf(folder, { CI: 'true' })).toEqual(seed);
});

test('there is none outside of a build machine, nor of a checkout', () => {
  expect(seedOf(folder, { CI: 'true' })).toEqual({});
  expect([{}, { CI: 'false' }].map((environment) => seedOf(process.cwd(), environment))).toEqual([{}, {}]);
});
