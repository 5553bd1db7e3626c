/* Rules of the whole public API, in all languages: see test/helpers/api-lint.ts. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lint } from './helpers/api-lint';

const root = join(__dirname, '..');

test('no unions, untyped or undocumented members, options without a default, or types of cdk8s-plus', () => {
  const assembly = JSON.parse(readFileSync(join(root, '.jsii'), 'utf8'));

  expect(Object.keys(assembly.types)).toContain('cdk8s-spark-operator.SparkApplicationProps');
  expect(lint(assembly)).toEqual([]);
});

test('each of these faults is found', () => {
  expect(lint(assemblyOf('faulty-api'))).toEqual([
    'Engine.DIESEL is not documented',
    'SpecialProps is of cdk8s-plus: cdk8s-plus-27.ServicePort',
    'Train.undocumented is not documented',
    'Train.become is untyped and not marked @freeForm',
    'Train.become(value) is untyped and not marked @freeForm',
    'Train.couple(volume) is of cdk8s-plus: cdk8s-plus-27.Volume',
    'Train.services is of cdk8s-plus: cdk8s-plus-27.Service',
    'TrainProps.account is of cdk8s-plus: cdk8s-plus-27.IServiceAccount',
    'TrainProps.anything is untyped and not marked @freeForm',
    'TrainProps.anythings is untyped and not marked @freeForm',
    'TrainProps.undocumented is not documented',
    'TrainProps.union is a union',
    'TrainProps.unions is a union',
    'TrainProps.withoutDefault is optional and has no @default',
    'Undocumented is not documented',
  ]);
}, 240_000);

/** Returns the assembly that jsii makes of a fixture. */
function assemblyOf(fixture: string): Record<string, unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'api-lint-'));
  try {
    copyFileSync(join(__dirname, 'fixtures', fixture, 'index.ts'), join(folder, 'index.ts'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const { peerDependencies: own, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const peerDependencies = { ...own, 'cdk8s-plus-27': devDependencies['cdk8s-plus-27'] };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({
      name: fixture, version: '1.0.0', main: 'index.js', types: 'index.d.ts', license: 'Apache-2.0', author: { name: 'builder', email: 'builder@localhost' },
      repository: { type: 'git', url: 'https://github.com/cdk8s-spark-operator/cdk8s-spark-operator.git' },
      jsii: { outdir: 'dist', targets: {}, tsc: { module: 'node16', moduleResolution: 'node16' } }, peerDependencies, devDependencies: peerDependencies,
    }));
    execFileSync(process.execPath, [join(root, 'node_modules/jsii/bin/jsii'), '--silence-warnings=reserved-word'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return JSON.parse(readFileSync(join(folder, '.jsii'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
