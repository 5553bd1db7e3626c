/* The programs on the pages of docs/constructs, as they stand there: the blocks of TypeScript that begin with an import. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const pages = join(root, 'docs/constructs');
// Inside the package, where its own name can be imported.
const folder = join(root, 'test-reports', 'docs');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const programs = readdirSync(pages).filter((page) => page.endsWith('.md')).flatMap((page) => (
  [...readFileSync(join(pages, page), 'utf8').matchAll(/```ts\n(import [^]*?)```/g)].map(([, program], index) => ({ page, number: index + 1, program: program! }))
));

test('each page has a program', () => {
  expect(programs.map(({ page }) => page)).toEqual(expect.arrayContaining(readdirSync(pages)));
});

test.each(programs)('program $number of $page synthesizes', ({ page, number, program }) => {
  const own = join(folder, `${page}-${number}`);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'app.mts'), program);
  execFileSync(process.execPath, ['app.mts'], { cwd: own });

  const files = readdirSync(join(own, 'dist'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(readFileSync(join(own, 'dist', file), 'utf8')).toContain('kind:');
});
