/* How a real JVM and Spark's own launcher take options apart: what they set must be what is found here. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { renderJavaProperties } from '../../src/text/java-properties';
import { effectOf, jvmOptions, sparkOptions } from '../../src/plan/properties/java-option-text';
import { obtain } from '../../tools/local-cluster/build/parts';
import { cacheFolder } from '../../tools/local-cluster/paths';
import { terminalProgress } from '../../tools/local-cluster/progress';
import { sparkJars } from '../../tools/real-spark/parts';

const folder = mkdtempSync(join(tmpdir(), 'java-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve) => {
    execFile('java', args, { env: { ...process.env, LC_ALL: 'C.UTF-8', ...env } }, (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }));
  });
}

/** The properties `t.…` of a JVM, or undefined if it does not start. */
async function propertiesOf(env: NodeJS.ProcessEnv): Promise<Map<string, string> | undefined> {
  const { code, stderr } = await run(['-Xshare:auto', '-XX:TieredStopAtLevel=1', '-XshowSettings:properties', '-version'], env);
  if (code !== 0) return undefined;
  return new Map([...stderr.matchAll(/^ {4}(t\.[^\n]*?) = ([^\n]*)$/gm)].map(([, name, value]) => [name!, value!]));
}

/** Options that set properties, in all kinds of quotes. */
const piece = fc.constantFrom('a', 'b', '=', '"', "'", '"c d"', "'e f'", '\\', '\\\\', '\\"', '$', '@', '-D', '#', '"\'"', '\'"\'');
const option = fc.tuple(fc.constantFrom('-Dt.', '-D"t".', '"-D"t.', '-D\'t.\''), fc.array(piece, { maxLength: 5 })).map(([begin, rest]) => begin + rest.join(''));
const text = fc.tuple(fc.array(fc.tuple(option, fc.constantFrom(' ', '  ', '\t', '\n', '\v', '\f ', ' \r')), { minLength: 1, maxLength: 4 }), fc.constantFrom('', ' ')).map(([options, begin]) => begin + options.flat().join(''));

test.each(['JDK_JAVA_OPTIONS', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS'])('a JVM and %s', async (variable) => {
  let started = 0;
  // The JVM prints a property in a line.
  const isPrintable = (options: string) => jvmOptions(options).every((each) => !/[\n\v\f\r]/.test(each));
  await fc.assert(fc.asyncProperty(text.filter(isPrintable), async (options) => {
    const actual = await propertiesOf({ [variable]: options });
    // A quote without its end is an error.
    if (!actual) return;
    started++;
    const expected = new Map<string, string>();
    for (const each of jvmOptions(options)) {
      const effect = effectOf(each);
      if (effect?.kind === 'property' && effect.name.startsWith('t.')) expected.set(effect.name, effect.value);
    }
    expect([...actual].sort()).toEqual([...expected].sort());
  }), { numRuns: 60 });
  expect(started).toBeGreaterThan(10);
});

test.each<[string, string, string, string]>([
  ['@file', 'JDK_JAVA_OPTIONS', '@{file}', '1'],
  ['-XX:VMOptionsFile', 'JDK_JAVA_OPTIONS', '-XX:VMOptionsFile={file}', '1'],
  ['-XX:VMOptionsFile', 'JAVA_TOOL_OPTIONS', '-XX:VMOptionsFile={file}', '1'],
])('a file that %s names in %s sets properties', async (_, variable, options, value) => {
  const file = join(folder, 'options');
  writeFileSync(file, '-Dt.file=1');
  const named = options.replace('{file}', file);
  expect((await propertiesOf({ [variable]: named }))?.get('t.file')).toBe(value);
  expect(effectOf(named)).toEqual({ kind: 'file' });
});

test('a file of -XX:Flags sets none', async () => {
  const file = join(folder, 'flags');
  for (const content of ['-Dt.file=1', `VMOptionsFile=${join(folder, 'options')}`]) {
    writeFileSync(file, content);
    expect(await propertiesOf({ JDK_JAVA_OPTIONS: `-XX:Flags=${file}` })).toBeUndefined();
  }
});

test("Spark's launcher", async () => {
  const jars = await obtain(cacheFolder(), sparkJars('4.1.1'), terminalProgress());
  const file = join(folder, 'spark.properties');
  let built = 0;
  const optionText = fc.tuple(text, fc.constantFrom('', '\u2003', '\u00a0', '\u001c', '\\')).map(([options, end]) => `${options}${end}-Dt.end=1`);
  await fc.assert(fc.asyncProperty(optionText, async (options) => {
    writeFileSync(file, renderJavaProperties([['spark.driver.extraJavaOptions', options]], 'of a test'));
    const args = ['-cp', join(jars, 'jars', '*'), 'org.apache.spark.launcher.Main', 'org.apache.spark.deploy.SparkSubmit', '--deploy-mode', 'client', '--properties-file', file, '--class', 'A', 'a.jar'];
    const { stdout } = await run(args, { SPARK_HOME: jars, SPARK_SCALA_VERSION: '2.13', SPARK_SUBMIT_OPTS: '' });
    const command = stdout.split('\0');
    // A quote without its end is an error.
    if (!command.includes('a.jar')) return;
    built++;
    // They are between the heap and Spark's own options.
    expect(command.slice(command.indexOf('-Xmx1g') + 1, command.indexOf('-XX:+IgnoreUnrecognizedVMOptions'))).toEqual(sparkOptions(options));
  }), { numRuns: 40 });
  expect(built).toBeGreaterThan(8);
}, 600_000);
