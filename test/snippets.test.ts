/*
 * The blocks of code on the pages, other than whole programs: fragments of TypeScript run, Python compiles, YAML is valid, and
 * commands of sparkctl and npm exist with the options that they use.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { codeBlocks } from './helpers/code-blocks';
import { shellWords } from './helpers/shell-words';
import { parseLayer, type RawConfigMap } from '../src/plan/defaults/parse';
import type { Command } from '../src/sparkctl/command';
import { COMMANDS, findCommand } from '../src/sparkctl/commands';
import { HELP } from '../src/sparkctl/help';
import { commandFirst, parseArguments } from '../src/sparkctl/parse';

const root = join(__dirname, '..');
const folder = join(root, 'test-reports', 'snippets');
const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'examples/*/README.md'], { cwd: root }).sort();
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');
/** Signatures of constructors. */
const isGenerated = (page: string) => page.startsWith('docs/reference/api/');
const blocks = (...languages: readonly string[]) => pages.flatMap((page) => (
  languages.flatMap((language) => codeBlocks(textOf(page), language)).map((text) => ({ page, text }))
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

const COMPILE = `
import ast, json, sys
for page, text in json.load(sys.stdin):
    try:
        ast.parse(text)
    except SyntaxError as error:
        print(f"{page}: {error}")
`;

test('Python compiles', () => {
  const found = blocks('python');
  expect(found.length).toBeGreaterThan(2);
  const python = spawnSync('python3', ['-c', COMPILE], { input: JSON.stringify(found.map(({ page, text }) => [page, text])), encoding: 'utf8' });
  // Only on machines of users: the workflows have it.
  if (process.env.CI === undefined && (python.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return;
  expect({ stdout: python.stdout, stderr: python.stderr }).toEqual({ stdout: '', stderr: '' });
});

test('JSON can be read', () => {
  const found = blocks('json');
  expect(found).not.toEqual([]);
  for (const { text } of found) expect(() => JSON.parse(text)).not.toThrow();
});

describe('YAML', () => {
  const found = blocks('yaml').map(({ page, text }) => ({ page, documents: parseAllDocuments(text) }));
  const objects = found.flatMap(({ page, documents }) => documents.map((document) => ({ page, object: document.toJS() as Record<string, any> })));
  /** Runs `sparkctl validate`. */
  const validate = (manifests: readonly object[]) => {
    const file = join(folder, 'manifests.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'runtime/sparkctl.cjs'), 'validate', file], { encoding: 'utf8' });
    return { status, output: status === 0 ? '' : `${stdout}${stderr}` };
  };

  test('can be read', () => {
    expect(found.length).toBeGreaterThan(10);
    expect(found.flatMap(({ page, documents }) => documents.flatMap(({ errors }) => errors.map(({ message }) => `${page}: ${message}`)))).toEqual([]);
  });

  test('has valid manifests', () => {
    const manifests = objects.map(({ object }) => object).filter(({ apiVersion, spec }) => apiVersion?.startsWith('sparkoperator.k8s.io/') && spec);
    expect(manifests.length).toBeGreaterThan(3);
    expect(validate(manifests)).toEqual({ status: 0, output: '' });
  });

  test('has valid ConfigMaps with defaults and limits', () => {
    const configMaps = objects.map(({ object }) => object).filter(({ kind }) => kind === 'ConfigMap');
    expect(configMaps).not.toEqual([]);
    for (const configMap of configMaps) expect(() => parseLayer(configMap as RawConfigMap)).not.toThrow();
  });

  describe('without a kind', () => {
    const { schema } = parse(readFileSync(join(root, 'crds/sparkoperator.k8s.io_sparkapplications.yaml'), 'utf8')).spec.versions
      .find(({ name }: { readonly name: string }) => name === 'v1beta2');
    const { spec, status } = schema.openAPIV3Schema.properties;
    const isOf = ({ properties }: { readonly properties: object }, object: object) => Object.keys(object).every((key) => Object.hasOwn(properties, key));
    const fragments = objects.filter(({ object }) => object.apiVersion === undefined);
    /** Returns a specification with the fields of a fragment; undefined if it is no part of one. */
    const specOf = (object: Record<string, any>): object | undefined => {
      if (Object.keys(object).join() === 'spec') return object.spec;
      if (isOf(spec, object)) return object;
      return isOf(spec.properties.driver, object) ? { driver: object, executor: object } : undefined;
    };
    /** Fragments of other files. */
    const others = [
      'docs/guides/kueue.md', // the configuration of Kueue
      'docs/operate/install.md', // values: test/sparkctl/docs.test.ts reads them as `sparkctl install` does
    ];

    test('is part of a SparkApplication, or of a known other file', () => {
      expect(fragments.filter(({ object }) => specOf(object) === undefined && object.status === undefined).map(({ page }) => page)).toEqual(others);
    });

    test('is valid as part of an application', () => {
      const specs = fragments.flatMap(({ page, object }) => (others.includes(page) ? [] : specOf(object) ?? []));
      expect(specs.length).toBeGreaterThan(3);
      const base = { type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', image: 'example.org/etl:7', mainApplicationFile: 'local:///opt/app/etl.py', driver: {}, executor: {} };
      const manifests = specs.map((fields, index) => ({
        apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: `fragment-${index}` }, spec: { ...base, ...fields },
      }));
      expect(validate(manifests)).toEqual({ status: 0, output: '' });
    });

    test('has a status with fields of the CRD', () => {
      const unknown = (object: unknown, { properties, items }: any, path: string): string[] => {
        if (Array.isArray(object)) return object.flatMap((each) => unknown(each, items ?? {}, path));
        if (typeof object !== 'object' || object === null || properties === undefined) return [];
        return Object.entries(object).flatMap(([key, value]) => (properties[key] ? unknown(value, properties[key], `${path}.${key}`) : [`${path}.${key}`]));
      };
      const statuses = fragments.flatMap(({ object }) => object.status ?? []);
      expect(statuses).not.toEqual([]);
      expect(statuses.flatMap((object) => unknown(object, status, 'status'))).toEqual([]);
    });
  });
});

describe('commands of sparkctl', () => {
  const uses = (text: string, page: string) => [...text.replaceAll(/(?<=^|\s)#.*$/gm, '').matchAll(/(?:^|[\s(])sparkctl ([a-z]+(?: [^\n]*)?)$/gm)].map(([, line]) => ({ page, line: line! }));
  const inBlocks = blocks('sh', 'console').flatMap(({ page, text }) => uses(text.replaceAll(/\\\n\s*/g, ' '), page));
  const inText = pages.flatMap((page) => [...textOf(page).matchAll(/`(sparkctl [a-z][^`\n]*)`/g)].flatMap(([, text]) => uses(text!, page)));

  test('are known, with their verbs and options', async () => {
    expect(inBlocks.length).toBeGreaterThan(30);
    expect(inText.length).toBeGreaterThan(100);
    const wrong = await Promise.all([...inBlocks, ...inText].map(async ({ page, line }) => {
      const problem = await problemOf(shellWords(line));
      return problem === undefined ? [] : [`${page}: sparkctl ${line}: ${problem}`];
    }));
    expect(wrong.flat()).toEqual([]);
  });

  test.each([
    ['lsit -A', 'unknown command lsit'],
    ['list --atention', 'there is no option --atention'],
    ['list -Z', 'there is no option -Z'],
    ['schedule last nightly', 'write schedule next'],
    ['create pi.yaml --dry-run=here', '--dry-run=here: write one of none, client'],
  ])('a wrong one is found: %s', async (line, problem) => {
    expect(await problemOf(shellWords(line))).toContain(problem);
  });
});

/** Returns what sparkctl would report about a command line. */
async function problemOf(words: readonly string[]): Promise<string | undefined> {
  const [name, ...args] = commandFirst(words);
  if (name === 'version' || name === 'help') return undefined;
  const entry = findCommand(COMMANDS, name);
  if (entry === undefined) return `unknown command ${name}`;
  const command = (await entry.load()).default;
  try {
    const { positionals: [verb] } = command.parse?.(args) ?? parseArguments(args, { ...command.options, help: HELP });
    const verbs = verbsOf(command);
    return verb !== undefined && verbs.length > 0 && !verbs.includes(verb) ? `write ${entry.name} ${verbs.join(' or ')}` : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the words, in lower case, with which each usage of a command begins. */
function verbsOf({ usage }: Command): string[] {
  return [...new Set(usage.replaceAll(/\[[^\]]*\]/g, '').split('|').map((way) => way.trim().split(' ')[0]!).filter((word) => /^[a-z]+$/.test(word)))];
}

test('scripts of npm exist', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const used = pages.flatMap((page) => [...textOf(page).matchAll(/\bnpm run ([a-z0-9]+(?:[:-][a-z0-9]+)*)/g)].map(([, script]) => ({ page, script: script! })));
  expect(used.length).toBeGreaterThan(40);
  expect(used.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
});
