/* A release up to where an account is needed, by the tasks that the release workflow runs, in a copy of the repository. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGE_REPOSITORY } from '../../src/api/operator-image';
import { newestRelease } from '../../tools/release/changelog.ts';
import { ReleaseCopy } from '../helpers/release-copy';

const root = join(__dirname, '../..');
const TARBALL = 'cdk8s-spark-operator@0.1.0.jsii.tgz';
let copy: ReleaseCopy;

beforeAll(() => { copy = new ReleaseCopy('0.1.0'); });
afterAll(() => rmSync(copy.folder, { recursive: true }));

test('workflows and configuration are what .projenrc.ts makes', () => {
  const generated: string[] = JSON.parse(copy.read('.projen/files.json')).files;
  expect(generated).toEqual(expect.arrayContaining(['.github/workflows/release.yml', '.github/workflows/build.yml', '.github/pull_request_template.md']));
  copy.run('env', 'PROJEN_DISABLE_POST=true', process.execPath, '.projenrc.ts');
  for (const file of generated) expect({ file, text: copy.read(file) }).toEqual({ file, text: readFileSync(join(root, file), 'utf8') });
  copy.run('git', 'checkout', '--quiet', '.');
  copy.run('git', 'clean', '--quiet', '--force', '-d');
});

test('the version is that of the changelog, and its text becomes that of the release', () => {
  copy.run('npx', 'projen', 'bump');
  expect([copy.read('dist/version.txt'), copy.read('dist/releasetag.txt'), JSON.parse(copy.read('package.json')).version]).toEqual(['0.1.0', 'v0.1.0', '0.1.0']);
  expect(copy.read('dist/changelog.md').trim()).toBe(newestRelease(copy.read('CHANGELOG.md')).notes);
});

test('all that is built has the version, the default image too', () => {
  for (const task of ['compile', 'post-compile', 'package:js']) copy.run('npx', 'projen', task);
  expect(readdirSync(join(copy.folder, 'dist/js'))).toEqual([TARBALL]);
  expect(copy.run(process.execPath, 'runtime/operator.cjs', '--version').trim()).toBe('0.1.0');
  const program = `
    const { App, Chart } = require('cdk8s');
    const { SparkOperator } = require('./lib');
    const chart = new Chart(new App(), 'chart');
    new SparkOperator(chart, 'operator');
    console.log(chart.toJson().find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0].image);`;
  expect(copy.run(process.execPath, '-e', program).trim()).toBe(`${IMAGE_REPOSITORY}:0.1.0`);
});

test('install.yaml and the chart have the version, and the archive has the files of the chart', () => {
  copy.run('npx', 'projen', 'package:helm');
  expect(readdirSync(join(copy.folder, 'dist/helm')).sort()).toEqual(['install.yaml', 'spark-operator', 'spark-operator-0.1.0.tgz']);
  expect(copy.read('dist/helm/install.yaml')).toContain(`image: ${IMAGE_REPOSITORY}:0.1.0\n`);
  const archived = (file: string) => copy.run('tar', '-xzOf', 'dist/helm/spark-operator-0.1.0.tgz', `spark-operator/${file}`);
  expect(archived('Chart.yaml')).toMatch(/^version: 0\.1\.0\n/m);
  expect(archived('values.yaml')).toContain(`image: ${IMAGE_REPOSITORY}:0.1.0\n`);
  for (const file of ['values.schema.json', 'templates/crds.yaml', 'templates/operator.yaml']) expect(archived(file)).not.toBe('');
});

test('npm would take the package', () => {
  const published = JSON.parse(copy.run('npm', 'publish', '--dry-run', '--json', '--tag', 'latest', `dist/js/${TARBALL}`));
  expect(published['cdk8s-spark-operator'] ?? published).toMatchObject({ name: 'cdk8s-spark-operator', version: '0.1.0' });
});

test('the image is made of files of the npm package, for any architecture', () => {
  const files = copy.run('tar', '-tzf', `dist/js/${TARBALL}`).split('\n');
  const dockerfile = copy.read('Dockerfile');
  const sources = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '));
  expect(sources).toContain('runtime/operator.cjs');
  // Stars match parts of names.
  const isThere = (source: string) => files.some((file) => new RegExp(`^package/${source.replaceAll('.', '\\.').split('*').join('[^/]*')}$`).test(file));
  expect(['Dockerfile', ...sources].filter((source) => !isThere(source))).toEqual([]);
  // It is published for amd64 and arm64, and a digest is that of the index.
  const bases = dockerfile.match(/^(?:ARG|FROM) .*$/gm)!.map((line) => line.split('@', 1)[0]);
  expect(bases).toEqual(['ARG BASE_IMAGE=node:24-slim', 'FROM ${BASE_IMAGE}']);
  expect(dockerfile).not.toMatch(/--platform|amd64|arm64|x86|aarch64|TARGETARCH/);
});

// The task ends with `twine check`.
test('PyPI would take the package', () => {
  copy.runOnline('npx', 'projen', 'package:python');
  expect(readdirSync(join(copy.folder, 'dist/python')).sort()).toEqual(['cdk8s_spark_operator-0.1.0-py3-none-any.whl', 'cdk8s_spark_operator-0.1.0.tar.gz']);
  const metadata = copy.run('tar', '-xzOf', 'dist/python/cdk8s_spark_operator-0.1.0.tar.gz', 'cdk8s_spark_operator-0.1.0/PKG-INFO');
  expect(metadata).toMatch(/^Name: cdk8s-spark-operator$/m);
  expect(metadata).toMatch(/^Version: 0\.1\.0$/m);
  expect(metadata).toMatch(/^License: Apache-2\.0$/m);
  expect(metadata).toMatch(/^Requires-Dist: cdk8s\W.*2\.70\.0/m);
});

test('nothing is left of it in what is checked in, and the next version is another one, after its tag', () => {
  copy.run('npx', 'projen', 'unbump');
  copy.run('git', 'diff', '--exit-code');
  copy.run('git', 'tag', 'v0.1.0');
  expect(() => copy.run('npx', 'projen', 'bump')).toThrow('no version after 0.1.0');

  copy.run('git', 'checkout', '--quiet', '--', 'package.json');
  copy.prepare('0.2.0');
  copy.commit();
  copy.run('npx', 'projen', 'bump');
  expect([copy.read('dist/version.txt'), copy.read('dist/changelog.md')]).toEqual(['0.2.0', '- What 0.2.0 brings.\n']);
});
