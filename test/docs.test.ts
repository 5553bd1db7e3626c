/* The pages: their links, the index, their length, proofs, accessors, and the programs among their blocks of TypeScript, which begin with an import. */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runPrograms, type ProgramOutput } from './helpers/run-programs';

const root = join(__dirname, '..');
const docs = join(root, 'docs');
const pages = globSync('**/*.md', { cwd: docs }).sort();
// Inside the package, where its own name can be imported.
const folder = join(root, 'test-reports', 'docs');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Programs of the pages. Those of the client need a cluster. */
const programs = pages.flatMap((page) => (
  [...readFileSync(join(docs, page), 'utf8').matchAll(/```(?:ts|typescript)\n(import [^]*?)```/g)].map(([, program], index) => ({ page, number: index + 1, program: program! }))
)).filter(({ program }) => !program.includes('cdk8s-spark-operator/client'));

describe('the index', () => {
  const index = readFileSync(join(docs, 'README.md'), 'utf8');

  test('leads to each page', () => {
    // A folder of short pages has an index of its own.
    const listed = pages.filter((page) => page !== 'README.md' && !/(decisions|reference\/(?:api|sparkctl))\/(?!README)/.test(page));
    expect(listed.length).toBeGreaterThan(40);
    expect(listed.filter((page) => !index.includes(`](${page})`))).toEqual([]);
  });

  test('has at most 60 lines', () => expect(index.trimEnd().split('\n').length).toBeLessThanOrEqual(60));
});

test.each(pages.filter((page) => /^(?:get-started|guides|operate|troubleshoot)\//.test(page)))('%s begins with what readers can do, and is short', (page) => {
  const text = readFileSync(join(docs, page), 'utf8');
  expect(text.split('\n\n')[1]).toMatch(/^After this page /);
  // Tables to look things up in can be longer.
  if (!page.startsWith('troubleshoot/')) expect(text.split(/\s+/).length).toBeLessThan(1_600);
});

test.each(globSync(['*.md', 'docs/**/*.md', 'examples/*.md', 'examples/*/*.md'], { cwd: root }))('the links of %s lead to files and headings', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
  const links = [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([link, path, heading]) => {
    const file = path === '' ? join(root, page) : resolve(root, dirname(page), path!);
    const isThere = existsSync(file) && (heading === undefined || !file.endsWith('.md') || anchorsOf(readFileSync(file, 'utf8')).has(heading));
    return { link, isThere };
  });
  expect(links.filter(({ isThere }) => !isThere).map(({ link }) => link)).toEqual([]);
});

/** Returns the anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ +(.*)$/gm)].map(([, heading]) => heading!.replaceAll(/<[^>]+>/g, '').replaceAll(/\[(.*?)\]\(.*?\)/g, '$1').toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-'));
  return new Set([...headings, ...[...text.matchAll(/<a (?:name|id)="([^"]+)"/g)].map(([, anchor]) => anchor!)]);
}

/** Links to a test, a tool that measures, or its figures. */
const PROOF = /\]\((?:\.\.\/)+(?:test|bench|tools\/bench)\/[^)]+\)/;

test.each(pages.filter((page) => /^(?:guides|operate|migrate)\//.test(page)))('%s links to a test or figures that prove its promises', (page) => {
  expect(readFileSync(join(docs, page), 'utf8')).toMatch(PROOF);
});

test('the table of accessors has all properties of the constructs', () => {
  interface Type { readonly base?: string; readonly properties?: readonly { readonly name: string }[] }
  const { types } = JSON.parse(readFileSync(join(root, '.jsii'), 'utf8')) as { readonly types: Readonly<Record<string, Type>> };
  const propertiesOf = ({ base, properties = [] }: Type): string[] => [
    ...properties.map(({ name }) => name), ...(base && types[base] ? propertiesOf(types[base]) : []),
  ];
  const rows = [...readFileSync(join(docs, 'reference/constructs/names-and-labels.md'), 'utf8').matchAll(/^\| `(Spark\w+|ScheduledSpark\w+)` \| (.*) \|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual([
    'SparkOperator', 'SparkJobNamespace', 'SparkHistoryServer', 'SparkApplication', 'ScheduledSparkApplication', 'SparkConnect',
  ]);
  for (const [, name, accessors] of rows) {
    const documented = [...accessors!.matchAll(/`(\w+)`/g)].map(([, accessor]) => accessor!);
    expect({ name, accessors: documented.sort() }).toEqual({ name, accessors: propertiesOf(types[`cdk8s-spark-operator.${name}`]!).sort() });
  }
});

test('each page of a construct has a program', () => {
  const constructs = pages.filter((page) => page.startsWith('reference/constructs/'));
  expect(constructs.length).toBeGreaterThan(5);
  expect(programs.map(({ page }) => page)).toEqual(expect.arrayContaining(constructs));
});

describe('programs', () => {
  const folderOf = ({ page, number }: { readonly page: string; readonly number: number }) => join(folder, `${page.replaceAll('/', '-')}-${number}`);
  let outputs: ReadonlyMap<string, ProgramOutput>;

  beforeAll(async () => {
    for (const program of programs) {
      mkdirSync(folderOf(program), { recursive: true });
      writeFileSync(join(folderOf(program), 'app.mts'), program.program);
    }
    const all = await runPrograms(programs.map((program) => ({ path: join(folderOf(program), 'app.mts'), cwd: folderOf(program) })));
    outputs = new Map(all.map((output, index) => [folderOf(programs[index]!), output]));
  }, 600_000);

  test.each(programs)('program $number of $page synthesizes', (program) => {
    const { stdout, error } = outputs.get(folderOf(program))!;
    expect(error).toBeUndefined();

    // A program for a test writes no files; it prints the number of objects.
    if (program.program.includes('Testing.synth')) return expect(Number(stdout)).toBeGreaterThan(0);
    const files = readdirSync(join(folderOf(program), 'dist'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(readFileSync(join(folderOf(program), 'dist', file), 'utf8')).toContain('kind:');
  });
});
