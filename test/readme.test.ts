/* The program in the README, as it stands there. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

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
