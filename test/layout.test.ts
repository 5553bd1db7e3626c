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
  return [...text.matchAll(/\b(?:from|import\(|require\() ?'(\.[^']*)'/g)]
    .map(([, to]) => resolve(ROOT, dirname(file), to!))
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

test.each([
  ['a program in another one', 'sparkctl/view/rows.ts', "import { a } from '../../operator/wiring';", 'sparkctl/view/rows.ts → operator/wiring'],
  ['a type from above', 'model/resources.ts', "import type { Plan } from '../plan/plan';", 'model/resources.ts → plan/plan.ts'],
  ['an import in several lines', 'kube/store.ts', "import {\n  A,\n} from '../model/resources';", 'kube/store.ts → model/resources.ts'],
  ['a dynamic import', 'operator/operator.ts', "await import('../console/process')", 'operator/operator.ts → console/process.ts'],
])('%s is found', (_, file, text, expected) => {
  expect(forbidden(importsIn(file, text))).toEqual([expected]);
});

test('a cycle is found', () => {
  const imports = [['a', 'b'], ['b', 'c'], ['c', 'a'], ['c', 'd'], ['d', 'd']].map(([from, to]) => ({ from: from!, to: to! }));
  expect(cycles(imports)).toEqual([['a', 'b', 'c']]);
});
