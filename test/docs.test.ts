/* The pages: their links, the index, and the programs of docs/reference/constructs, which are the blocks of TypeScript that begin with an import. */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runPrograms, type ProgramOutput } from './helpers/run-programs';

const root = join(__dirname, '..');
const pages = join(root, 'docs/reference/constructs');
// Inside the package, where its own name can be imported.
const folder = join(root, 'test-reports', 'docs');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const programs = readdirSync(pages).filter((page) => page.endsWith('.md')).flatMap((page) => (
  [...readFileSync(join(pages, page), 'utf8').matchAll(/```ts\n(import [^]*?)```/g)].map(([, program], index) => ({ page, number: index + 1, program: program! }))
));

test('the index leads to each page', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const all = globSync('**/*.md', { cwd: join(root, 'docs') }).filter((page) => !/^README|(?:decisions|fields)\/(?!README)/.test(page));
  expect(all.length).toBeGreaterThan(30);
  expect(all.filter((page) => !index.includes(`](${page})`))).toEqual([]);
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

test('each page has a program', () => {
  expect(programs.map(({ page }) => page)).toEqual(expect.arrayContaining(readdirSync(pages)));
});

const folderOf = ({ page, number }: { readonly page: string; readonly number: number }) => join(folder, `${page}-${number}`);
let outputs: ReadonlyMap<string, ProgramOutput>;

beforeAll(async () => {
  for (const program of programs) {
    mkdirSync(folderOf(program), { recursive: true });
    writeFileSync(join(folderOf(program), 'app.mts'), program.program);
  }
  const all = await runPrograms(programs.map((program) => ({ path: join(folderOf(program), 'app.mts'), cwd: folderOf(program) })));
  outputs = new Map(all.map((output, index) => [folderOf(programs[index]!), output]));
}, 240_000);

test.each(programs)('program $number of $page synthesizes', (program) => {
  const { stdout, error } = outputs.get(folderOf(program))!;
  expect(error).toBeUndefined();

  // A program for a test writes no files; it prints the number of objects.
  if (program.program.includes('Testing.synth')) return expect(Number(stdout)).toBeGreaterThan(0);
  const files = readdirSync(join(folderOf(program), 'dist'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(readFileSync(join(folderOf(program), 'dist', file), 'utf8')).toContain('kind:');
});
