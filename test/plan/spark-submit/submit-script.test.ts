import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUBMIT_SCRIPT } from '../../../src/plan/spark-submit/submit-script';

const folder = mkdtempSync(join(tmpdir(), 'submit-script-'));
const message = join(folder, 'termination-log');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'submit.sh'), SUBMIT_SCRIPT);
});

/** Runs the script with a program in place of spark-submit. */
function run(program: string, args: readonly string[] = [], env: { readonly [name: string]: string } = {}) {
  rmSync(message, { force: true });
  writeFileSync(join(folder, 'bin/spark-submit'), `#!/bin/bash\n${program}\n`, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync('bash', [join(folder, 'submit.sh'), ...args], {
    encoding: 'utf8', maxBuffer: 64 * 2 ** 20,
    env: { PATH: process.env.PATH, SPARK_HOME: folder, TERMINATION_LOG: message, TMPDIR: folder, ...env },
  });
  return { status, stdout, stderr, message: existsSync(message) ? readFileSync(message, 'utf8') : undefined };
}

test('the arguments arrive unchanged', () => {
  const args = ['a b', "it's", '"', '$(touch pwned)', '$HOME', '`id`', '*', '', '-x', 'two\nlines', '\\', 'é 👍'];

  expect(run('printf "%s\\0" "$@"', args).stdout.split('\0').slice(0, -1)).toEqual(args);
});

test.each([0, 1, 101])('the exit code %i is that of spark-submit, and the output is its log', (code) => {
  const { status, stdout } = run(`echo out; echo err >&2; exit ${code}`);

  expect({ status, lines: stdout.split('\n').sort() }).toEqual({ status: code, lines: ['', 'err', 'out'] });
});

test('a success leaves no message', () => expect(run('echo done').message).toBeUndefined());

test('a failure leaves its exceptions without frames, however long they are', () => {
  const cause = `Caused by: io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: ${'y'.repeat(1_500)} end`;
  const { message: left, stdout } = run(`
    head -c 1000000 /dev/zero | tr '\\0' 'x'; echo
    echo 'Exception in thread "main" java.lang.RuntimeException: no' >&2
    for ((i = 0; i < 10000; i++)); do printf '\\tat org.apache.spark.deploy.SparkSubmit.run%s(SparkSubmit.scala)\\n' "$i"; done >&2
    echo '${cause}' >&2
    for ((i = 0; i < 10000; i++)); do printf '\\tat java.lang.Thread.run%s(Thread.java)\\n' "$i"; done >&2
    printf '\\t... 15 more\\n' >&2
    exit 1`);

  expect(Buffer.byteLength(left!)).toBe(4_000);
  expect(left).not.toContain('\tat ');
  expect(left!.split('\n').slice(-3)).toEqual(['Exception in thread "main" java.lang.RuntimeException: no', cause, '']);
  expect(stdout).toContain('Thread.run9999');
});

describe('variables', () => {
  const seen = (env: { readonly [name: string]: string }) => Object.fromEntries(
    run('env -0', [], env).stdout.split('\0').filter(Boolean).map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  );

  test('by which spark-submit would create other objects are removed', () => {
    const names = ['HADOOP_CONF_DIR', 'YARN_CONF_DIR', 'SPARK_CONF_DIR', 'SPARK_LOCAL_DIRS', 'PYSPARK_PYTHON', 'PYSPARK_DRIVER_PYTHON'];
    const left = seen({ ...Object.fromEntries(names.map((name) => [name, '/x'])), OTHER: 'kept' });

    expect(left).toMatchObject({ OTHER: 'kept', SPARK_HOME: folder });
    expect(names.filter((name) => name in left)).toEqual([]);
  });

  test.each([
    [{}, ''],
    [{ SPARK_DIST_CLASSPATH: '/jars/*' }, '/jars/*'],
    [{ HADOOP_CONF_DIR: '/etc/hadoop' }, '/etc/hadoop:'],
    [{ HADOOP_CONF_DIR: '/etc/hadoop', SPARK_DIST_CLASSPATH: '/jars/*' }, '/etc/hadoop:/jars/*'],
  ])('of Hadoop: %j are on the class path', (env, classPath) => expect(seen(env).SPARK_DIST_CLASSPATH).toBe(classPath));

  test('options of the JVM: those of the user are last', () => {
    expect(seen({ SPARK_SUBMIT_OPTS: '-Dhttps.proxyHost=p' }).SPARK_SUBMIT_OPTS).toMatch(/^-XX:.* -XX:MaxRAMPercentage=50 -Dhttps.proxyHost=p$/);
  });
});
