/* The README: its program, its figures, its length; and that no command fetches another package. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { codeBlocks } from './helpers/code-blocks';
import { KUBERNETES_VERSION, OLDEST_KUBERNETES_VERSION, SPARK_VERSION } from '../tools/local-cluster/versions.ts';
import { REAL_SPARK_VERSIONS } from '../tools/real-spark/versions.ts';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
// Inside the package, where its own name can be imported.
const folder = join(root, 'test-reports', 'readme');

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

test('it has at most 900 words', () => {
  expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
});

test('its program synthesizes the application of its manifest', () => {
  const [[program], [manifest]] = [codeBlocks(readme, 'ts'), codeBlocks(readme, 'yaml')];
  writeFileSync(join(folder, 'pi.mts'), program!);
  execFileSync(process.execPath, ['pi.mts'], { cwd: folder });
  const expected = parse(manifest!);
  // Another name, so that both run.
  expect(parse(readFileSync(join(folder, 'dist/jobs.k8s.yaml'), 'utf8'))).toMatchObject({ ...expected, metadata: { ...expected.metadata, name: 'pi-ts' } });
});

test('its table of versions is true', () => {
  const { engines, peerDependencies: peers, devDependencies: dev } = JSON.parse(read('package.json'));
  const minor = (version: string) => version.split('.').slice(0, 2).join('.');
  expect(readme.slice(readme.indexOf('## Versions')).split('\n').filter((line) => /^\| (Kubernetes|Spark|Node.js|cdk8s)/.test(line))).toEqual([
    `| Kubernetes | ${minor(OLDEST_KUBERNETES_VERSION.slice(1))} or newer | API server of ${OLDEST_KUBERNETES_VERSION.slice(1)}; API server and kubelet of ${KUBERNETES_VERSION.slice(1)} |`,
    `| Spark | ${REAL_SPARK_VERSIONS.map(minor).join(', ')} | objects compared with those of \`spark-submit\` ${REAL_SPARK_VERSIONS.join(', ')}; in a cluster only ${SPARK_VERSION} |`,
    expect.stringContaining(`| ${/\d+/.exec(engines.node)![0]} or newer |`),
    expect.stringContaining(`| 22.19 or newer; the image has ${/node:(\d+)/.exec(read('Dockerfile'))![1]} |`),
    `| cdk8s, constructs | \`${peers.cdk8s}\`, \`${peers.constructs}\` | ${dev.cdk8s}, ${dev.constructs} |`,
  ]);
});

test('its figures are those of the benchmarks', () => {
  const [, operator, sparkSubmit] = /([\d,]+) submissions a minute against ([\d.]+) by/.exec(readme)!;
  const table = read('docs/explain/benchmarks.md');
  expect(table).toContain(`times (${operator} to ${sparkSubmit}) |`);
  const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'];
  expect(readme).toContain(`${words[table.split('**NOT MET**').length - 1]} benchmark goals are missed`);
});

test('the package describes itself by the words of the README', () => {
  const { description } = JSON.parse(read('package.json'));
  expect(readme.replaceAll(/\[(.*?)\]\(.*?\)/g, '$1').split('\n')[2]).toBe(description);
});

describe('commands of the command line', () => {
  const texts = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.{md,mts}', 'src/**/*.ts', 'tools/**/*.{ts,cjs,md}', '.github/**/*.yml'], { cwd: root });

  test('outside an installation, npx would take the name of a command for that of another package: each names the package', () => {
    const wrong = texts.filter((path) => /npx (?!--package )[^\n`]*\bsparkctl\b/.test(read(path)));
    expect(wrong).toEqual([]);
    expect(texts.filter((path) => read(path).includes('npx --package cdk8s-spark-operator sparkctl'))).toEqual(expect.arrayContaining(['README.md', 'docs/reference/sparkctl/README.md', 'docs/guides/render.md']));
  });
});
