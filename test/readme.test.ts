/* The program in the README, as it stands there. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { KUBERNETES_VERSION, OLDEST_KUBERNETES_VERSION, SPARK_VERSION } from '../tools/local-cluster/versions.ts';
import { REAL_SPARK_VERSIONS } from '../tools/real-spark/versions.ts';

const root = join(__dirname, '..');
// Inside the package, where its own name can be imported.
const folder = join(root, 'test-reports', 'readme');

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

test('it runs, and makes what the README says', () => {
  const [, program] = /```ts\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
  expect(program!.trim().split('\n').length).toBeLessThanOrEqual(15);
  writeFileSync(join(folder, 'app.mts'), program!);
  execFileSync(process.execPath, ['app.mts'], { cwd: folder });

  const [application] = parseAllDocuments(readFileSync(join(folder, 'dist/jobs.k8s.yaml'), 'utf8')).map((document) => document.toJS());
  expect(application).toMatchObject({ kind: 'SparkApplication', metadata: { namespace: 'spark-jobs' }, spec: { executor: { instances: 2 }, image: 'apache/spark:4.1.1' } });
  expect(readFileSync(join(folder, 'dist/operator.k8s.yaml'), 'utf8')).toContain('kind: Deployment');
});

test('its table of versions is true', () => {
  const { engines, peerDependencies: peers, devDependencies: dev } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const minor = (version: string) => version.split('.').slice(0, 2).join('.');
  const last = REAL_SPARK_VERSIONS.at(-1)!;
  expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').filter((line) => /^\| (Kubernetes|Spark|Node|cdk8s)/.test(line))).toEqual([
    `| Kubernetes | ${minor(OLDEST_KUBERNETES_VERSION.slice(1))} or newer | the API server of ${OLDEST_KUBERNETES_VERSION.slice(1)}; ${KUBERNETES_VERSION.slice(1)} |`,
    `| Spark | ${REAL_SPARK_VERSIONS.map(minor).join(', ')} | ${REAL_SPARK_VERSIONS.slice(0, -1).join(', ')} and ${last} beside spark-submit; ${SPARK_VERSION} in a cluster |`,
    expect.stringContaining(`| ${/\d+/.exec(engines.node)![0]} or newer |`),
    expect.stringContaining(`| 22.19 or newer; the image has ${/node:(\d+)/.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))![1]} |`),
    `| cdk8s, constructs | \`${peers.cdk8s}\`, \`${peers.constructs}\` | ${dev.cdk8s}, ${dev.constructs} |`,
    `| cdk8s-plus-27 | \`${peers['cdk8s-plus-27']}\` | ${dev['cdk8s-plus-27']} |`,
  ]);
});
