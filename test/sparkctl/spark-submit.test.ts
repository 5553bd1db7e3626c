/*
 * The command of `sparkctl render --output=spark-submit`, run by a real shell with a fake
 * spark-submit that records its arguments.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { planSparkSubmit } from '../../src/plan/plan';
import { prepareSubmission } from '../../src/plan/prepare';
import { sparkSubmitArguments } from '../../src/plan/spark-submit/arguments';
import { manifest, sparkctl } from './helpers';

const folder = mkdtempSync(join(tmpdir(), 'sparkctl-'));
const bin = join(folder, 'bin');
const seen = join(folder, 'seen');
const temporary = join(folder, 'tmp');

beforeAll(() => {
  for (const path of [bin, seen, temporary]) mkdirSync(path);
  writeFileSync(join(bin, 'spark-submit'), `#!/bin/sh
printf '%s\\0' "$@" > '${seen}/arguments'
for argument; do
  case $argument in
    spark.kubernetes.*.podTemplateFile=/*) role=\${argument#spark.kubernetes.}; cp "\${argument#*=}" '${seen}/'"\${role%%.*}" ;;
  esac
done
exit 7
`);
  chmodSync(join(bin, 'spark-submit'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command. @returns the input of spark-submit */
function run(command: string, shell = 'sh') {
  rmSync(join(seen, 'arguments'), { force: true });
  const { status, stdout, stderr } = spawnSync(shell, { input: command, encoding: 'utf8', cwd: folder, env: { PATH: `${bin}:${process.env.PATH}`, TMPDIR: temporary, HOME: '/home/nobody' } });
  const template = (role: string) => parse(readFileSync(join(seen, role), 'utf8'));
  return {
    status, stdout, stderr,
    arguments: existsSync(join(seen, 'arguments')) ? readFileSync(join(seen, 'arguments'), 'utf8').split('\0').slice(0, -1) : [],
    templates: { driver: template('driver'), executor: template('executor') },
  };
}

const NASTY = [
  "it's", '$(touch pwned)', '`touch pwned`', '$HOME', '"', '\\', '\\n', 'two\nlines\n', '', ' ', '*', '~', '!!', '#', '-x', '--conf', 'END', 'é 👍', '\t', '\u0085',
  // Arguments that equal texts of the command itself.
  '$templates/driver.yaml', 'spark.kubernetes.driver.podTemplateFile=$templates/driver.yaml',
];
const VALUE = NASTY.join('|');

const METADATA = { name: 'nasty', namespace: 'jobs', uid: '0c5a9c4e-6d0c-4f0e-9d54-0a4f1f6f4f11' };
const SPEC = {
  type: 'Python', sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', mainApplicationFile: "local:///opt/it's$(here).py", arguments: NASTY,
  sparkConf: { 'spark.nasty': VALUE },
  driver: { env: NASTY.map((value, index) => ({ name: `N${index}`, value })) },
  executor: { template: { metadata: { annotations: { nasty: VALUE, heredoc: 'x\nEND\ny' } } } },
} as any;
const STDIN = stringify({ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: METADATA, spec: SPEC }, { version: '1.1' });
const prepared = prepareSubmission({ metadata: METADATA, spec: SPEC }, { attempt: 1, submissionID: METADATA.uid, submitTime: new Date(0), sparkUser: 'spark' });
const expected = (templates: { driver: string; executor: string }) => sparkSubmitArguments({ ...prepared, master: 'k8s://https://example.org:6443', templates });

const OPTIONS = ['--output=spark-submit', '--master=k8s://https://example.org:6443', `--submission-id=${METADATA.uid}`];

const shells = ['sh', 'bash', 'dash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'true']).error === undefined);

test.each(shells)('%s hands exactly the operator\'s arguments and templates to spark-submit', async (shell) => {
  const { code, stderr, stdout } = await sparkctl(['render', '-', ...OPTIONS], { stdin: STDIN });
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  const result = run(stdout, shell);

  expect({ stdout: result.stdout, stderr: result.stderr }).toEqual({ stdout: '', stderr: '' });
  expect(result.status).toBe(7); // that of spark-submit
  const [, templates] = /podTemplateFile=(.*)\/driver\.yaml/.exec(result.arguments.find((argument) => /^spark.kubernetes.driver.podTemplateFile=\//.test(argument))!)!;
  expect(result.arguments).toEqual(expected({ driver: `${templates}/driver.yaml`, executor: `${templates}/executor.yaml` }));
  const { driverTemplate, executorTemplate } = planSparkSubmit(prepared);
  expect(result.templates).toEqual({ driver: driverTemplate, executor: executorTemplate });
  // No files are left, and there are no other effects.
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['bin', 'seen', 'tmp']);
});

test('--templates-dir prints one command, and writes the templates to files', async () => {
  const { code, stderr, stdout, written } = await sparkctl(['render', '-', ...OPTIONS, "--templates-dir=it's here"], { stdin: STDIN });
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  const paths = { driver: "it's here/jobs.nasty.driver.yaml", executor: "it's here/jobs.nasty.executor.yaml" };
  expect(Object.keys(written)).toEqual(Object.values(paths));
  const { driverTemplate, executorTemplate } = planSparkSubmit(prepared);
  expect(Object.values(written).map((text) => parse(text))).toEqual([driverTemplate, executorTemplate]);
  expect(stdout).not.toContain('<<');
  expect(run(stdout).arguments).toEqual(expected(paths));
});

test('a read-only folder is an error', async () => {
  expect(await sparkctl(['render', '-', '-ospark-submit', '--templates-dir=/read-only/t'], { stdin: manifest() })).toMatchObject({
    code: 1, stderr: ['driver', 'executor'].map((role) => `/read-only/t/default.pi.${role}.yaml: error: you cannot open it; check its permissions`),
  });
});

test('prints a command for each application', async () => {
  const { stdout } = await sparkctl(['render', '-', '-ospark-submit'], { stdin: `${manifest({ name: 'a' })}---\n${manifest({ name: 'b' })}` });
  expect(stdout.match(/^(#|\(|spark-submit|\)).*/gm)).toEqual([
    expect.stringContaining('# SparkApplication default/a,'), '(', 'spark-submit \\', ')', expect.stringContaining('# SparkApplication default/b,'), '(', 'spark-submit \\', ')',
  ]);
});
