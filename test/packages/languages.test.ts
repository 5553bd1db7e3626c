/* The package in the languages of jsii: the same program in each, run with a package that is built and installed here, synthesizes the same files. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { buildGo } from '../../tools/languages/go';
import { buildJava, compileJava, javaClasspath, javaDependencies } from '../../tools/languages/java';
import { installPython, pythonSources, pythonWheels } from '../../tools/languages/python';
import { obtain } from '../../tools/local-cluster/build/parts';
import { cacheFolder } from '../../tools/local-cluster/paths';
import { terminalProgress } from '../../tools/local-cluster/progress';
import { run } from '../../tools/local-cluster/run';

/** Checks the types of the program in Python, as pyright does. */
const MYPY = 'mypy==2.4.1';

const MISTAKE = `
from cdk8s import App, Chart
from cdk8s_spark_operator import SparkApplication, SparkApplicationType
app = App()
SparkApplication(
    Chart(app, "jobs"), "report", type=SparkApplicationType.PYTHON, spark_version="four", main_application_file="local:///report.py"
)
app.synth()
`;

const root = join(__dirname, '../..');
const programs = join(root, 'examples/languages');
const folder = mkdtempSync(join(tmpdir(), 'languages-'));
const progress = terminalProgress();
/** Runs the package in the Node of the tests, and unpacks it into a folder of its own. */
const environment = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), JSII_RUNTIME_PACKAGE_CACHE_ROOT: join(folder, 'unpacked') };
/** The files that the program in TypeScript writes. */
let expected: Record<string, string>;

beforeAll(async () => {
  expected = await synthesized('typescript', process.execPath, [join(programs, 'app.mts')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('TypeScript', () => {
  expect(Object.keys(expected)).toEqual(['0000-operator.k8s.yaml', '0001-jobs.k8s.yaml']);
  expect(expected['0000-operator.k8s.yaml']).toContain('kind: Deployment');
  expect(expected['0001-jobs.k8s.yaml']).toContain('onFailureRetryInterval: 30');
});

test('Python', async () => {
  const sources = await pythonSources(root, join(folder, 'python'));
  const wheels = await obtain(cacheFolder(), await pythonWheels(root, [...sources.requirements, MYPY]), progress);
  const python = await installPython(sources, wheels, join(folder, 'python'), [MYPY]);
  const program = join(programs, 'app.py');

  expect(await synthesized('python', python, [program])).toEqual(expected);
  expect(await run(python, ['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'mypy'), program], { purpose: 'check types with mypy' })).toContain('no issues found in 1 source file');
  expect(await run(process.execPath, [join(root, 'node_modules/pyright/index.js'), '--pythonpath', python, program], { purpose: 'check types with pyright' })).toContain('0 errors, 0 warnings');
  // Mistakes are reported by the names that Python has.
  await expect(run(python, ['-c', MISTAKE], { env: environment, purpose: 'run a program with a mistake' })).rejects.toThrow('[jobs/report] spark_version is "four", not a version of Spark');
  // The programs of the package are installed, too.
  expect(await run(join(dirname(python), 'sparkctl'), ['--help'], { env: environment, purpose: 'run sparkctl' })).toContain('render');
});

test('Java', async () => {
  const dependencies = await obtain(cacheFolder(), javaDependencies(root), progress);
  const classes = await buildJava(root, dependencies, join(folder, 'java'));
  const classpath = [...javaClasspath(dependencies), classes];
  const program = join(folder, 'java/program');
  await compileJava([programs], program, classpath);

  expect(await synthesized('java', 'java', ['-classpath', [...classpath, program].join(delimiter), 'App'])).toEqual(expected);
});

test('Go', async () => {
  const program = await buildGo(root, join(programs, 'main.go'), join(folder, 'go'));

  expect(await synthesized('go', program, [])).toEqual(expected);
});

/** Runs a program in a folder of its own, and reads what it writes. */
async function synthesized(language: string, command: string, args: readonly string[]): Promise<Record<string, string>> {
  const cwd = join(folder, 'runs', language);
  mkdirSync(cwd, { recursive: true });
  await run(command, args, {
    cwd,
    env: environment,
    purpose: `run the program in ${language}`,
  });
  const dist = join(cwd, 'dist');
  return Object.fromEntries(readdirSync(dist).sort().map((file) => [file, readFileSync(join(dist, file), 'utf8')]));
}
