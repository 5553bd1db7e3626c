/* What V8 has compiled of the command line is kept, where only its user may write, and used at the next start. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { compileCacheFolder } from '../../src/sparkctl/compile-cache';

const root = join(__dirname, '../..');
let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'compile-cache-')); });
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['linux', { HOME: '/home/ada' }, '/home/ada/.cache/cdk8s-spark-operator/v8'],
  ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Library/Caches/cdk8s-spark-operator/v8'],
  ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: '/fast' }, '/fast/cdk8s-spark-operator/v8'],
  ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: 'not/absolute' }, '/home/ada/.cache/cdk8s-spark-operator/v8'],
  ['linux', { HOME: '' }, undefined],
  ['linux', {}, undefined],
] as const)('on %s with %j it is in %s', (platform, environment, expected) => {
  expect(compileCacheFolder(environment, platform)).toBe(expected);
});

/** A start of a file of the package, with what Node says of its cache in `stderr`. */
const start = (file: string, environment: Readonly<Record<string, string>> = {}, node: readonly string[] = []) => spawnSync(process.execPath, [...node, join(root, 'runtime', file), '--version'], {
  encoding: 'utf8', cwd: folder, env: { PATH: process.env.PATH, NODE_DEBUG_NATIVE: 'COMPILE_CACHE', ...environment },
});
const worked = { status: 0, stdout: `${version}\n` };
const used = /part-sparkctl\.cjs was accepted/;

test('the second start uses what the first one has compiled', () => {
  expect(start('sparkctl.cjs', { HOME: folder })).toMatchObject({ ...worked, stderr: expect.not.stringMatching(used) });
  const cache = join(folder, '.cache/cdk8s-spark-operator/v8');
  expect(readdirSync(cache)).toHaveLength(1);
  expect((statSync(cache).mode % 0o1000).toString(8)).toBe('700');
  expect(start('sparkctl.cjs', { HOME: folder })).toMatchObject({ ...worked, stderr: expect.stringMatching(used) });
});

test('that saves time', () => {
  const report = join(folder, 'report.cjs');
  writeFileSync(report, "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write(`${user + system}`); });");
  const microseconds = (environment: Readonly<Record<string, string>>) => Number(start('sparkctl.cjs', { NODE_DEBUG_NATIVE: '', ...environment }, ['--require', report]).stderr);
  microseconds({ HOME: folder });
  // In turns, as the machine may have other things to do for a while; and the best ones, which it disturbed least.
  const pairs = Array.from({ length: 7 }, () => [microseconds({ HOME: folder }), microseconds({ HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1' })] as const);
  const best = (index: 0 | 1) => Math.min(...pairs.map((pair) => pair[index]));
  expect(best(0)).toBeGreaterThan(0);
  expect(best(0)).toBeLessThan(best(1));
}, 240_000);

test('it is left out without a home, and where that is asked for', () => {
  const environments: Readonly<Record<string, string>>[] = [{}, { HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1' }];
  for (const environment of environments) {
    expect(start('sparkctl.cjs', environment)).toMatchObject({ ...worked, stderr: expect.not.stringContaining('writing cache') });
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('a place of the user\'s own goes first', () => {
  expect(start('sparkctl.cjs', { HOME: folder, NODE_COMPILE_CACHE: join(folder, 'own') })).toMatchObject(worked);
  expect(readdirSync(join(folder, 'own'))).toHaveLength(1);
  expect(existsSync(join(folder, '.cache'))).toBe(false);
});

test.each(['cdk8s-spark-operator/v8', 'cdk8s-spark-operator'])('it is not used if others may write to %s', (open) => {
  const cache = join(folder, 'cdk8s-spark-operator/v8');
  mkdirSync(cache, { recursive: true });
  chmodSync(join(folder, open), 0o777);
  expect(start('sparkctl.cjs', { XDG_CACHE_HOME: folder })).toMatchObject(worked);
  expect(readdirSync(cache)).toEqual([]);
});

test('it is no error if there can be none', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(start('sparkctl.cjs', { HOME: join(folder, 'file'), NODE_DEBUG_NATIVE: '' })).toMatchObject({ ...worked, stderr: '' });
});

test('neither the operator nor the client keep anything', () => {
  expect(start('operator.cjs', { HOME: folder })).toMatchObject(worked);
  expect(start('client.cjs', { HOME: folder })).toMatchObject({ status: 0, stdout: '' });
  expect(readdirSync(folder)).toEqual([]);
});
