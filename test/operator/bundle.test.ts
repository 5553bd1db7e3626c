/* The bundle as it ships, with the files that the image has: it starts, or says clearly why it does not. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { copyProgram } from '../helpers/programs';

const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
const bundle = copyProgram('operator', folder);

afterAll(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], node: readonly string[] = []) {
  return spawnSync(process.execPath, [...node, bundle, ...args], { encoding: 'utf8', cwd: folder, env: { PATH: process.env.PATH } });
}

test('it needs nothing but itself', () => {
  const { status, stdout } = run(['--version']);
  expect({ status, version: stdout.trim() }).toEqual({ status: 0, version });
});

test.each(['20.20.2', '22.18.0'])('on Node %s it says what it needs before it loads anything', (old) => {
  const preload = join(folder, 'old-node.cjs');
  writeFileSync(preload, `Object.defineProperty(process.versions, 'node', { value: ${JSON.stringify(old)} });`);
  const { status, stderr } = run(['--version'], ['--require', preload]);
  expect({ status, stderr: stderr.trim() }).toEqual({
    status: 1, stderr: `cdk8s-spark-operator needs Node 22.19 or newer to run; this is Node ${old}. Install a newer Node, or use the image, which contains one.`,
  });
});

test('outside a cluster and without a kubeconfig it says so', () => {
  const { status, stderr } = run([]);
  expect({ status, stderr: stderr.trim() }).toEqual({
    status: 1, stderr: 'cannot start: not inside a pod (KUBERNETES_SERVICE_HOST is not set), and no kubeconfig was given',
  });
});

test('a command line that cannot be followed: every mistake is named', () => {
  const { status, stderr } = run(['--namespaces=Team A', '--driver-start-timeout=5', '--controller-threads=0']);
  expect(status).toBe(2);
  expect(stderr.trim().split('\n')).toEqual([
    '--namespaces=Team A: write comma-separated names of namespaces, or "" for all',
    '--controller-threads=0: write a whole number of at least 1',
    '--driver-start-timeout=5: write a duration such as 90s, 5m or 1h30m',
  ]);
});

test('an unknown flag is refused', () => {
  const { status, stderr } = run(['--namespace=a']);
  expect(status).toBe(2);
  expect(stderr).toContain('--namespace: there is no such flag; did you mean --namespaces?');
});
