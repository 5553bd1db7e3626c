import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const root = join(__dirname, '..');
const outdir = mkdtempSync(join(tmpdir(), 'examples-'));
afterAll(() => rmSync(outdir, { recursive: true }));

test('the example synthesizes the operator first, then the applications', () => {
  execFileSync(process.execPath, ['examples/main.mts'], { cwd: root, env: { ...process.env, OUTDIR: outdir } });

  const files = readdirSync(outdir).sort();
  expect(files).toHaveLength(2);
  const [operator, applications] = files.map((file) => parseAllDocuments(readFileSync(join(outdir, file), 'utf8')).map((document) => document.toJS()));
  expect(operator!.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['CustomResourceDefinition', 'Namespace', 'Deployment']));
  expect(applications!.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual(['SparkApplication spark-jobs/python-pi', 'SparkApplication spark-jobs/java-pi']);
});
