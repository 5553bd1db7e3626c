/* Imports in src point downward, no program uses another one, and files form no cycle. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '../src');

/** Folders and files of src, from top to bottom. A file imports from its own folder and from lower layers. */
const LAYERS: readonly (readonly string[])[] = [
  ['bin', 'index.ts'],
  ['sparkctl', 'console', 'client', 'constructs', 'operator'],
  ['props'],
  ['explain'],
  ['flags'],
  ['plan'],
  ['rules'],
  ['model'],
  ['text'],
  ['schedule'],
  ['api'],
  ['k8s'],
  ['kube'],
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];

/** Returns the imports of files of src in a text, as paths below src. */
function importsIn(file: string, text: string): Import[] {
  return [...text.matchAll(/\b(?:from|import|require) ?\(?\s*(['"`])(\.[^'"`]*)\1/g)]
    .map(([, , to]) => resolve(ROOT, dirname(file), to!))
    .filter((path) => path.startsWith(`${ROOT}/`))
    .map((path) => ({ from: file, to: relative(ROOT, ENDINGS.map((ending) => path + ending).find((found) => /\.\w+$/.test(found) && existsSync(found)) ?? path) }));
}

const folderOf = (path: string) => path.split('/', 1)[0]!;
const layerOf = (path: string) => LAYERS.findIndex((layer) => layer.includes(folderOf(path)));

/** Returns imports that point upward, or into another folder of the same layer. */
function forbidden(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => folderOf(from) !== folderOf(to) && layerOf(to) <= layerOf(from))
    .map(({ from, to }) => `${from} → ${to}`);
}

/** Returns the groups of files that import each other, by Tarjan's algorithm. */
function cycles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...targets.get(from) ?? [], to]);
  const [order, low, path, found] = [new Map<string, number>(), new Map<string, number>(), [] as string[], [] as string[][]];
  const visit = (file: string) => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    path.push(file);
    for (const to of targets.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (path.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!));
    }
    if (low.get(file) === order.get(file)) found.push(path.splice(path.indexOf(file)).sort());
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return found.filter(({ length }) => length > 1);
}

const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const IMPORTS = FILES.flatMap((file) => importsIn(file, readFileSync(join(ROOT, file), 'utf8')));

test('each folder of src is in a layer', () => {
  expect(readdirSync(ROOT).filter((name) => layerOf(name) < 0)).toEqual([]);
  expect(LAYERS.flat().filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});

test('imports point downward, and no program imports from another one', () => {
  expect(forbidden(IMPORTS)).toEqual([]);
});

test('files form no import cycle', () => {
  expect(cycles(IMPORTS)).toEqual([]);
});

/** Folders of the operator with what belongs to one kind alone. */
const KINDS = ['spark-application', 'scheduled-spark-application', 'spark-connect'].map((kind) => `operator/kinds/${kind}/`);

/** Further users of a kind and the part that they use. A folder ends in a slash and means all files in it. */
const USERS_OF_KINDS: readonly (readonly [from: string, to: string])[] = [
  // It puts the kinds together.
  ...KINDS.map((kind) => ['operator/operator.ts', kind] as const),
  // Quotas and rules skip an edit that leaves the hash of the run as it was.
  ['operator/admission/', 'operator/kinds/spark-application/spec-change.ts'],
  // Schedules read the whole of the applications that they create.
  ['operator/kinds/scheduled-spark-application/', 'operator/kinds/spark-application/transform.ts'],
  // Tells whose a pod is.
  ['operator/metrics/snapshot.ts', 'operator/kinds/spark-application/observe.ts'],
  // The words of what is counted.
  ['operator/metrics/schedules.ts', 'operator/kinds/scheduled-spark-application/decision.ts'],
];

const kindOf = (path: string) => KINDS.find((kind) => path.startsWith(kind));
const isIn = (path: string, place: string) => (place.endsWith('/') ? path.startsWith(place) : path === place);
const ofOtherKinds = (imports: readonly Import[]) => imports.filter(({ from, to }) => kindOf(to) !== undefined && kindOf(to) !== kindOf(from));

/** Returns imports of what belongs to another kind, by those who are not allowed to. */
function forbiddenOfKinds(imports: readonly Import[]): string[] {
  return ofOtherKinds(imports)
    .filter(({ from, to }) => !USERS_OF_KINDS.some(([user, used]) => isIn(from, user) && isIn(to, used)))
    .map(({ from, to }) => `${from} → ${to}`);
}

test("a kind's folder is used only by what puts kinds together", () => {
  expect(forbiddenOfKinds(IMPORTS)).toEqual([]);
});

test('each user of a kind is needed', () => {
  const isNeeded = ([user, used]: typeof USERS_OF_KINDS[number]) => ofOtherKinds(IMPORTS).some(({ from, to }) => isIn(from, user) && isIn(to, used));
  expect(USERS_OF_KINDS.filter((each) => !isNeeded(each))).toEqual([]);
});

test.each([
  ['driver/retries.ts', "import { decide } from '../kinds/spark-application/decide';", 'spark-application/decide.ts'],
  ['owned/converge.ts', "import {\n  OWNED_RESOURCES,\n} from '../kinds/spark-application/owned/wanted';", 'spark-application/owned/wanted.ts'],
  ['kinds/spark-connect/states/start.ts', "import type { Observation } from '../../spark-application/decision';", 'spark-application/decision.ts'],
  ['kinds/scheduled-spark-application/run.ts', "import { rfc3339 } from '../spark-application/step';", 'spark-application/step.ts'],
  ['admission/handlers.ts', "export { decide } from '../kinds/spark-application/decide';", 'spark-application/decide.ts'],
])('the import of another kind by %s is found', (file, text, used) => {
  expect(forbiddenOfKinds(importsIn(`operator/${file}`, text))).toEqual([`operator/${file} → operator/kinds/${used}`]);
});

test.each([
  ['a program in another one', 'sparkctl/view/rows.ts', "import { a } from '../../operator/wiring';", 'sparkctl/view/rows.ts → operator/wiring'],
  ['a type from above', 'model/resources.ts', "import type { Plan } from '../plan/plan';", 'model/resources.ts → plan/plan.ts'],
  ['an import in several lines', 'kube/store.ts', "import {\n  A,\n} from '../model/resources';", 'kube/store.ts → model/resources.ts'],
  ['a dynamic import', 'operator/operator.ts', "await import('../console/process')", 'operator/operator.ts → console/process.ts'],
  ['an import of a template literal', 'sparkctl/program.ts', 'await import(`../operator/kinds/${name}`)', 'sparkctl/program.ts → operator/kinds/${name}'],
  ['a dynamic import in several lines', 'operator/operator.ts', "import(\n  '../console/process'\n)", 'operator/operator.ts → console/process.ts'],
  ['an import for its effects', 'sparkctl/view/rows.ts', "import '../../operator/operator';", 'sparkctl/view/rows.ts → operator/operator.ts'],
  ['double quotes', 'model/resources.ts', 'import type { Plan } from "../plan/plan";', 'model/resources.ts → plan/plan.ts'],
])('%s is found', (_, file, text, expected) => {
  expect(forbidden(importsIn(file, text))).toEqual([expected]);
});

test('a cycle is found', () => {
  const imports = [['a', 'b'], ['b', 'c'], ['c', 'a'], ['c', 'd'], ['d', 'd']].map(([from, to]) => ({ from: from!, to: to! }));
  expect(cycles(imports)).toEqual([['a', 'b', 'c']]);
});
