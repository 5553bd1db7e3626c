/* The package as users install it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'package-'));
let files: string[];
let modes: Record<string, number>;
let size: number;

beforeAll(() => {
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  files = packed.files.map(({ path }: { path: string }) => path);
  modes = Object.fromEntries(packed.files.map(({ path, mode }: { path: string; mode: number }) => [path, mode]));
  size = packed.size;
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'cdk8s-spark-operator'), { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', join(modules, 'cdk8s-spark-operator')]);
  for (const peer of ['cdk8s', 'constructs']) symlinkSync(join(root, 'node_modules', peer), join(modules, peer));
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('it holds the constructs, the CRDs and the operator, and nothing of how they are made', () => {
  expect(files).toEqual(expect.arrayContaining([
    '.jsii', 'LICENSE', 'README.md', 'docs/reference/api/README.md', 'lib/index.js', 'lib/index.d.ts', 'runtime/operator.cjs', 'runtime/sparkctl.cjs', 'runtime/client.cjs', 'runtime/part-operator.cjs', 'runtime/part-sparkctl.cjs', 'lib/client/index.d.ts', 'runtime/LICENSES.txt', 'crds/sparkoperator.k8s.io_sparkapplications.yaml', 'Dockerfile', 'fast-start/train',
  ]));
  expect(files.filter((file) => /^(src|test|tools|examples|test-reports|\.projen|docs\/explain\/decisions)\/|^CONTRIBUTING|\.map$|^lib\/(operator|sparkctl|console|explain)|^runtime\/\./.test(file))).toEqual([]);
  expect(size).toBeLessThan(1.8 * 1024 * 1024);
});

// Constructs run on older Nodes than the operator does: npm's own Node is the machine's, the tests' Node comes from the dev dependencies.
test(`the constructs synthesize from the installed package on Node ${process.env.npm_node_execpath ? 'of npm' : 'of the tests'}`, () => {
  writeFileSync(join(folder, 'app.cjs'), `
    const { App, Chart } = require('cdk8s');
    const { SparkOperator } = require('cdk8s-spark-operator');
    const app = new App();
    new SparkOperator(new Chart(app, 'operator'), 'operator');
    console.log(process.versions.node);
    console.log(app.synthYaml());
  `);
  const output = execFileSync(process.env.npm_node_execpath ?? process.execPath, ['app.cjs'], { cwd: folder, encoding: 'utf8' });
  expect(output).toContain('kind: Deployment');
});

// The Python package runs the file itself.
test.each(['runtime/operator.cjs', 'runtime/sparkctl.cjs', 'fast-start/train'])('%s is a program', (path) => {
  const permissions = (mode: number) => (mode % 0o1000).toString(8);
  expect(permissions(modes[path]!)).toBe('755');
  expect(permissions(statSync(join(root, path)).mode)).toBe('755');
});

test('CRDs and schemas can be found by the name of the package', () => {
  for (const path of ['crds/sparkoperator.k8s.io_sparkapplications.yaml', 'schemas/sparkapplication.json']) {
    expect(execFileSync(process.execPath, ['-p', `require.resolve('cdk8s-spark-operator/${path}')`], { cwd: folder, encoding: 'utf8' }).trim()).toMatch(new RegExp(`${path}$`));
  }
});

test('the lock file names no registry', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
});
