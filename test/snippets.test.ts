/* The blocks of code on the pages, other than whole programs: fragments of TypeScript run, YAML is valid, and commands of sparkctl have the commands and options that they use. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { codeBlocks } from './helpers/code-blocks';
import { COMMANDS } from '../src/sparkctl/commands';

const root = join(__dirname, '..');
const folder = join(root, 'test-reports', 'snippets');
const pages = globSync(['README.md', 'docs/**/*.md', 'examples/*/README.md'], { cwd: root });
/** Signatures of constructors. */
const isGenerated = (page: string) => page.startsWith('docs/reference/api/');
const blocks = (...languages: readonly string[]) => pages.flatMap((page) => (
  languages.flatMap((language) => codeBlocks(readFileSync(join(root, page), 'utf8'), language)).map((text) => ({ page, text }))
));

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('fragments of programs run, with the names of the package and a chart', () => {
  const fragments = blocks('ts', 'typescript').filter(({ page, text }) => !isGenerated(page) && !/^(?:import|try|const spark)/.test(text));
  expect(fragments.length).toBeGreaterThan(5);
  writeFileSync(join(folder, 'app.cjs'), `
    const { App, Chart, ...cdk8s } = require('cdk8s');
    Object.assign(globalThis, cdk8s, require('cdk8s-spark-operator'));
    for (const { page, text } of ${JSON.stringify(fragments)}) {
      const app = new App({ outdir: require('node:path').join(__dirname, 'dist') });
      const [chart, chartA, chartB] = ['chart', 'a', 'b'].map((name) => new Chart(app, name));
      const installed = new Chart(app, 'installed');
      const operator = new SparkOperator(installed, 'operator', { namespace: 'installed', jobNamespaces: [] });
      new SparkJobNamespace(installed, 'existing', { name: 'existing', operator });
      try {
        new Function('chart', 'chartA', 'chartB', 'operator', text)(chart, chartA, chartB, operator);
        app.synth();
      } catch (error) {
        console.log(page + ': ' + error.message);
      }
    }
  `);
  expect(execFileSync(process.execPath, ['app.cjs'], { cwd: folder, encoding: 'utf8' })).toBe('');
});

test('YAML can be read, and manifests are valid', () => {
  const found = blocks('yaml').map(({ page, text }) => ({ page, documents: parseAllDocuments(text) }));
  expect(found.length).toBeGreaterThan(10);
  expect(found.flatMap(({ page, documents }) => documents.flatMap(({ errors }) => errors.map(({ message }) => `${page}: ${message}`)))).toEqual([]);
  const manifests = found.flatMap(({ documents }) => documents.map((document) => document.toJS() as { apiVersion?: string; spec?: object } | null))
    .filter((object) => object?.apiVersion?.startsWith('sparkoperator.k8s.io/') && object.spec);
  expect(manifests.length).toBeGreaterThan(3);
  const file = join(folder, 'manifests.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
  expect(() => execFileSync(process.execPath, [join(root, 'runtime/sparkctl.cjs'), 'validate', file], { encoding: 'utf8', stdio: 'pipe' })).not.toThrow();
});

describe('commands of sparkctl', () => {
  const used = blocks('sh', 'console').flatMap(({ page, text }) => (
    [...text.replaceAll(/\\\n\s*/g, ' ').matchAll(/(?:^|[\s(])sparkctl ([a-z]+)((?: [^\n#|>)]*)?)/gm)].map(([, command, words]) => ({ page, command: command!, words: words! }))
  ));

  test('are known', () => {
    expect(used.length).toBeGreaterThan(30);
    const names = COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(used.filter(({ command }) => !names.includes(command))).toEqual([]);
  });

  test('know their options', () => {
    const help = readFileSync(join(root, 'docs/reference/sparkctl.md'), 'utf8');
    const unknown = used.flatMap(({ page, command, words }) => {
      const [, section = ''] = help.split(new RegExp(`^## sparkctl ${command}$`, 'm'));
      const options: readonly string[] = section.split('\n## ')[0]!.match(/--[a-z-]+/g) ?? [];
      return (words.split(' -- ')[0]!.match(/(?<=\s)--[a-z][a-z-]*/g) ?? []).filter((option) => !options.includes(option)).map((option) => `${page}: sparkctl ${command} ${option}`);
    });
    expect(unknown).toEqual([]);
  });
});
