/* The program that `sparkctl submit --dry-run=typescript` prints synthesizes what the command would create. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import * as cdk8s from 'cdk8s';
import ts from 'typescript';
import { parse } from 'yaml';
import * as operator from '../../../src';
import { sparkctl } from '../helpers';

const ROOT = join(__dirname, '../../..');
const ARGUMENTS = [
  '--class', 'org.example.Etl', '--name', 'etl', '--application', 'etl', '-n', 'jobs', '--executor-memory', '2g', '--executor-cores', '2', '--packages', 'g:a:1,g:b:2', '--driver-java-options', "-Dx='y' \"z\" \\",
  ...['spark.kubernetes.container.image=apache/spark:4.1.1', 'spark.kubernetes.container.image.pullPolicy=Always', 'spark.hadoop.fs.s3a.endpoint=http://s3', 'spark.sql.shuffle.partitions=7', 'spark.kubernetes.driver.podTemplateFile=driver.yaml'].flatMap((conf) => ['-c', conf]),
  'local:///opt/etl.jar', 'a', "it's\n${x}",
];
const WORLD = { files: { 'driver.yaml': 'spec: {priorityClassName: high}\n' } };

let program: string;
beforeAll(async () => {
  ({ stdout: program } = await sparkctl(['submit', '--dry-run=typescript', ...ARGUMENTS], WORLD));
});

test('it synthesizes the same manifest', async () => {
  const { code } = transformSync(program, { filename: 'app.ts', jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } });
  const folder = mkdtempSync(join(tmpdir(), 'app-'));
  class App extends cdk8s.App {
    constructor() { super({ outdir: folder, outputFileExtension: '.yaml', yamlOutputType: cdk8s.YamlOutputType.FILE_PER_APP }); }
  }
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    new Function('require', 'exports', code)((name: string) => (name === 'cdk8s' ? { ...cdk8s, App } : operator), {});
    const { stdout } = await sparkctl(['submit', '--dry-run', ...ARGUMENTS], WORLD);
    expect(parse(readFileSync(join(folder, 'app.yaml'), 'utf8'))).toEqual(parse(stdout));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('its types are right', () => {
  const folder = mkdtempSync(join(ROOT, 'test-reports-'));
  try {
    const file = join(folder, 'app.ts');
    writeFileSync(file, program);
    const types = ts.createProgram([file], {
      strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, types: [],
      paths: { 'cdk8s-spark-operator': [join(ROOT, 'src/index.ts')] },
    });
    expect(ts.getPreEmitDiagnostics(types, types.getSourceFile(file)).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
