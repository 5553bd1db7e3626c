/* The bundle of the package, as a process. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { copyProgram } from '../helpers/programs';
import { manifest } from './helpers';

const folder = mkdtempSync(join(tmpdir(), 'sparkctl-bundle-'));
const bundle = copyProgram('sparkctl', folder);

afterAll(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], { input = '', node = [] }: { readonly input?: string; readonly node?: readonly string[] } = {}): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [...node, bundle, ...args], { encoding: 'utf8', cwd: folder, input, env: { PATH: process.env.PATH } });
}

test('--version', () => {
  expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test('renders a file with its bundled schemas', () => {
  writeFileSync(join(folder, 'pi.yaml'), readFileSync(join(__dirname, 'golden/pi.yaml')));
  expect(run(['render', 'pi.yaml'])).toMatchObject({ status: 0, stdout: readFileSync(join(__dirname, 'golden/pi.objects.yaml'), 'utf8'), stderr: '' });

  const wrong = manifest().replace('driver: {}', 'driver: {memory: 1.5g, template: {spec: {containers: 1}}}');
  expect(run(['render', '-'], { input: wrong })).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `<stdin>:10:12: error: SparkApplication pi: spec.driver.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi
<stdin>:10:44: error: SparkApplication pi: spec.driver.template.spec.containers = 1 must be a list
`,
  });
});

test('writes the pod templates into a folder', () => {
  expect(run(['render', '-', '-o', 'spark-submit', '--templates-dir', 'deep/er'], { input: manifest() }).status).toBe(0);
  expect(readFileSync(join(folder, 'deep/er/default.pi.driver.yaml'), 'utf8')).toContain('name: spark-kubernetes-driver\n');
});

test('rejects a wrong command line', () => {
  expect(run(['render', '--frobnicate'])).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('there is no option --frobnicate') });
});

test('a reader can close the pipe early', () => {
  writeFileSync(join(folder, 'many.yaml'), Array.from({ length: 100 }, (_, index) => manifest({ name: `a${index}` })).join('---\n'));
  const command = '{ "$0" "$1" render many.yaml; echo $? >&2; } | head -n 1';
  const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, bundle], { encoding: 'utf8', cwd: folder });
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^# SparkApplication default\/a0, .*\n$/), stderr: '141\n' });
});

test('names the required version on an older Node before loading other code', () => {
  const preload = join(folder, 'old-node.cjs');
  writeFileSync(preload, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
  expect(run(['--version'], { node: ['--require', preload] })).toMatchObject({ status: 1, stderr: 'sparkctl needs Node 22.19 or newer to run; this is Node 20.20.2. Install a newer Node.\n' });
});
