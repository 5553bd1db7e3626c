/* docs/reference/bounds.md: all collections of the operator's processes are on it, with the limits that the code has. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '../src');
const PAGE = readFileSync(join(__dirname, '../docs/reference/bounds.md'), 'utf8');
const ROWS = PAGE.split('\n').filter((line) => /^\| /.test(line) && line.includes('.ts`'));

const filesIn = (text: string) => [...text.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => file!);
const sourceOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The files that the program is made of, from where it begins. Imports of types leave nothing in memory. */
function programFiles(begin: string): string[] {
  const found = new Set([begin]);
  for (const file of found) {
    for (const [, statically, dynamically] of sourceOf(file).matchAll(/^(?:import|export)(?! type\b)[^;]*? from '(\.[^']*)'|import\('(\.[^']*)'\)/gm)) {
      const path = relative(ROOT, resolve(ROOT, dirname(file), (statically ?? dynamically)!));
      const source = [`${path}.ts`, `${path}/index.ts`].find((each) => existsSync(join(ROOT, each)));
      if (source) found.add(source);
    }
  }
  return [...found];
}

/** Collections of JavaScript. */
const NEW = '(?:Weak)?(?:Map|Set)';

/** Our classes each of whose objects holds a collection. */
const HOLDERS = [
  'LruMap', 'SingleFlightCache', 'FairQueue', 'FairSemaphore', 'Fifo', 'Store', 'ByName', 'SharedStrings', 'InboundConnections', 'RateLimiter', 'Runs', 'Retries', 'Memories',
];

/** Fields of classes, and variables of modules that begin empty: those that are filled at once are constants. */
const COLLECTIONS = [
  new RegExp(`^ {2}(?:private |protected |public )?(?:readonly )?#?\\w+\\??(?:: [^=\\n]*)? = (?:\\{.*)?new (?:${NEW})\\b`, 'm'),
  /^ {2}(?:private |protected |public )?(?:readonly )?#?\w+: [^=\n]*\[\] = \[\];/m,
  // Made in the constructor; without `private` it is a field of an interface.
  /^ {2}private (?:readonly )?\w+\??: (?:Readonly)?(?:Map|Set)</m,
  new RegExp(`^(?:export )?(?:const|let) \\w+(?:: [^=\\n]*)? = (?:new (?:${NEW})(?:<[^\\n]*>)?\\(\\)|\\[\\];|\\{\\};)`, 'm'),
  // Wherever they are made: they live as long as the process, a term or a connection.
  new RegExp(`\\bnew (?:${HOLDERS.join('|')})\\b`),
];

const PROGRAM = programFiles('bin/operator.ts');

test('the program is found', () => {
  expect(PROGRAM).toEqual(expect.arrayContaining(['operator/webhook-process.ts', 'console/server/feed.ts', 'kube/store.ts', 'schedule/time-zone.ts']));
  expect(PROGRAM).not.toContain('sparkctl/program.ts');
});

test.each(HOLDERS)('%s is a class of the program', (name) => {
  expect(PROGRAM.filter((file) => new RegExp(`^export class ${name}\\b`, 'm').test(sourceOf(file)))).toHaveLength(1);
});

test('each file with a collection is on the page', () => {
  const keeping = PROGRAM.filter((file) => COLLECTIONS.some((pattern) => pattern.test(sourceOf(file))));
  expect(keeping.length).toBeGreaterThan(50);
  expect(keeping.filter((file) => !filesIn(PAGE).includes(file))).toEqual([]);
});

test.each([
  '  private readonly kept = new WeakMap<object, string>();',
  '  private readonly kept = new LruMap<string, string>(MAX);',
  '  private waiting: string[] = [];',
  '  private readonly kept: Map<string, string>;',
  'const READ = new Map<string, RunTimes>();',
  'export const READ: Map<string, string> = new Map();',
  'const READ = new LruMap<string, RunTimes>(MAX_READ);',
  'const seen: string[] = [];',
  '  private readonly waiting = new FairQueue<Waiting>();',
  '    this.runs = new Runs(options.onEnd);',
  '  const rights = new SingleFlightCache<boolean>({ age: 10, limit: MOST_RIGHTS, clock });',
  '    shares: { requests: new FairSemaphore({ ...REQUESTS, clock }) },',
])('%s is a collection', (line) => {
  expect(COLLECTIONS.some((pattern) => pattern.test(`/** Entries. */\n${line}\n`))).toBe(true);
});

test.each(["const NAMES: ReadonlySet<string> = new Set(['a']);", '  const seen = new Set<string>();', '    const names: string[] = [];'])('%s is none', (line) => {
  expect(COLLECTIONS.some((pattern) => pattern.test(`${line}\n`))).toBe(false);
});

test('each file on the page is part of the program', () => {
  expect(filesIn(PAGE).filter((file) => !PROGRAM.includes(file))).toEqual([]);
});

/** Numbers as in the code (`16 * 1024 * 1024`) and on the page (`16 MiB`). */
function valueOf(text: string): number {
  const unit = { KiB: 1024, MiB: 1024 * 1024 }[/[KM]iB$/.exec(text)?.[0] ?? ''] ?? 1;
  return text.replace(/ [KM]iB$/, '').split('*').reduce((product, factor) => product * Number(factor.replace(/[,_]/g, '')), unit);
}

const LIMITS = ROWS.flatMap((row) => [...row.matchAll(/`([A-Z_]+)` = (\d+(?:,\d{3})*(?: [KM]iB)?)/g)].map(([, name, value]) => ({ name: name!, value: value!, files: filesIn(row) })));

test.each(LIMITS)('$name is $value', ({ name, value, files }) => {
  const inCode = files.flatMap((file) => new RegExp(`^(?:export )?const ${name} = (?:\\{ all: )?([\\d_* ]+)[;,]`, 'm').exec(sourceOf(file))?.[1] ?? []);
  expect(inCode.map(valueOf)).toEqual([valueOf(value)]);
});

test('limits are found on the page', () => {
  expect(LIMITS.length).toBeGreaterThan(20);
});
