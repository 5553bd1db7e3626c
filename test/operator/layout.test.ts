/* A kind's folder holds what is this kind's alone: dependencies go from the kinds to what they share, never back, and not from kind to kind. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '../../src/operator');
const KINDS = ['spark-application', 'scheduled-spark-application', 'spark-connect'];

/** Who may use what of a kind, besides the kind itself. A folder ends in a slash; `*` stands for all. */
const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  // It puts the kinds together.
  ['operator.ts', '*'],
  // Reviews each kind by the kind's own rules.
  ['admission/', '*'],
  // Schedules create applications.
  ['scheduled-spark-application/', 'spark-application/model'],
  ['scheduled-spark-application/', 'spark-application/transform'],
  // What objects of the API server are like.
  ...['resources.ts', 'metrics/'].flatMap((from) => KINDS.map((kind) => [from, `${kind}/model`] as const)),
  ['at-work.ts', 'spark-application/model'],
  // Tells whose a pod is.
  ['metrics/snapshot.ts', 'spark-application/observe'],
  // The words of what is counted.
  ['metrics/schedules.ts', 'scheduled-spark-application/decision'],
  // Makes it from the configuration.
  ['spark-submit.ts', 'spark-application/spark-submitter'],
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const kindOf = (path: string) => KINDS.find((kind) => path.startsWith(`${kind}/`));

/** The imports of a file's text, by paths below the operator's folder. */
function importsIn(file: string, text: string): Import[] {
  return [...text.matchAll(/\b(?:from|import\(|require\() ?'(\.[^']*)'/g)].map(([, to]) => ({ from: file, to: relative(ROOT, resolve(ROOT, dirname(file), to!)) }));
}

/** Imports of what belongs to another kind, by those who are not allowed to. */
function forbidden(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => kindOf(to) && kindOf(to) !== kindOf(from))
    .filter(({ from, to }) => !ALLOWED.some(([user, used]) => (user.endsWith('/') ? from.startsWith(user) : from === user) && (used === '*' || used === to)))
    .map(({ from, to }) => `${from}: ${to}`);
}

const IMPORTS = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => importsIn(file, readFileSync(join(ROOT, file), 'utf8')));

test('nobody depends on a kind but itself, and who puts the kinds together', () => {
  expect(forbidden(IMPORTS)).toEqual([]);
});

test('each exception is needed', () => {
  const isUsed = ([user, used]: typeof ALLOWED[number]) => IMPORTS.some(({ from, to }) => kindOf(to) !== kindOf(from) && from.startsWith(user) && (used === '*' ? kindOf(to) : to === used));
  expect(ALLOWED.filter((exception) => !isUsed(exception)).map((exception) => exception.join(': '))).toEqual([]);
});

test.each([
  ['driver/waits.ts', "import { isBeginning } from '../spark-application/model';", 'spark-application/model'],
  ['owned/converge.ts', "import {\n  OWNED_RESOURCES,\n} from '../spark-application/owned/wanted';", 'spark-application/owned/wanted'],
  ['spark-connect/states/start.ts', "import type { Hindrance } from '../../spark-application/decision';", 'spark-application/decision'],
  ['scheduled-spark-application/run.ts', "import { rfc3339 } from '../spark-application/step';", 'spark-application/step'],
  ['configuration.ts', "export { TIMESTAMP_PRECISIONS } from './scheduled-spark-application/run-names';", 'scheduled-spark-application/run-names'],
])('%s would be told of %s', (file, line, used) => {
  expect(forbidden(importsIn(file, line))).toEqual([`${file}: ${used}`]);
});
