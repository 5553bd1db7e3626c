/* The bundle contains the constructs, the CRDs and the version. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProgram } from '../../helpers/programs';
import { sparkctl } from '../helpers';

jest.mock('../../../src/sparkctl/setup/bundled', () => jest.requireActual('./crds'));

const folder = mkdtempSync(join(tmpdir(), 'sparkctl-setup-'));
beforeAll(() => void copyProgram('sparkctl', folder));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[]) => spawnSync(process.execPath, [join(folder, 'sparkctl.cjs'), ...args], { encoding: 'utf8', cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, maxBuffer: 16 * 1024 * 1024 });

test('install prints the same as the sources', async () => {
  const args = ['install', '--print', '--job-namespace=jobs', '--webhook', '--replicas=2'];
  expect(run(args)).toMatchObject({ status: 0, stdout: (await sparkctl(args)).stdout, stderr: '' });
});

test('doctor and uninstall report that there is no cluster', () => {
  for (const command of ['doctor', 'uninstall']) expect(run([command])).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/there is no ~\/\.kube\/config; name a kubeconfig with --kubeconfig or in \$KUBECONFIG: not inside a pod/) });
});

test('completion prints candidates', () => {
  expect(run(['__complete', 'install', '--job-n'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^--job-namespace\t.*\n$/), stderr: '' });
  expect(run(['__complete', 'status', ''])).toMatchObject({ status: 0, stdout: '', stderr: '' });
});
