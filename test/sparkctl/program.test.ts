/* The command line as such: commands, options, help. */
import { command } from '../../src/sparkctl/command';
import type { CommandEntry } from '../../src/sparkctl/commands';
import { runProgram } from '../../src/sparkctl/program';
import { sparkctl } from './helpers';

test('help: of the program, of a command, in both ways to ask for it', async () => {
  const { code, stdout } = await sparkctl(['--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}render +print what would be created/m);
  expect((await sparkctl([])).stdout).toBe(stdout);
  expect((await sparkctl(['help'])).stdout).toBe(stdout);

  const ofCommand = await sparkctl(['render', '-h']);
  expect(ofCommand.code).toBe(0);
  expect(ofCommand.stdout).toContain('\nUsage: sparkctl render FILE… [options]\n');
  expect(ofCommand.stdout).toContain('  -o, --output=FORMAT ');
  expect(ofCommand.stdout).toContain('\n  2  the command line is wrong\n');
  expect((await sparkctl(['help', 'render'])).stdout).toBe(ofCommand.stdout);
  for (const line of `${stdout}${ofCommand.stdout}`.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});

test('--version', async () => {
  expect(await sparkctl(['--version'])).toMatchObject({ code: 0, stdout: '1.2.3\n' });
});

test.each([
  [['rendr'], 'there is no command rendr; did you mean render?'],
  [['frobnicate'], 'there is no command frobnicate'],
  [['-n', 'jobs', 'render', 'pi.yaml'], 'the command comes first; write sparkctl render -n jobs pi.yaml'],
])('sparkctl %j is no command line', async (args, message) => {
  expect(await sparkctl(args)).toMatchObject({ code: 2, stdout: '', stderr: [`sparkctl: ${message}`, 'Run sparkctl --help for what there is.'] });
});

test.each([
  [[], 'there is no FILE; name the manifests, or write - for the standard input'],
  [['-', '-'], 'the standard input can be read once only; write - once'],
  [['pi.yaml', '--ouptut=json'], 'there is no option --ouptut; did you mean --output?'],
  [['pi.yaml', '-x'], 'there is no option -x'],
  [['pi.yaml', '--output=xml'], '--output=xml: write one of yaml, json, properties, spark-submit'],
  [['pi.yaml', '--output'], '--output needs a value; write --output=FORMAT'],
  [['--output', '--mode=native', 'pi.yaml'], '--output needs a value; write --output=FORMAT'],
  [['pi.yaml', '--spark-submit-packages=true'], '--spark-submit-packages takes no value; write --spark-submit-packages alone'],
  [['pi.yaml', '--templates-dir=t'], '--templates-dir only goes with --output=spark-submit; add it'],
])('sparkctl render %j: the message says what to write instead', async (args, message) => {
  expect(await sparkctl(['render', ...args])).toMatchObject({
    code: 2, stdout: '', stderr: [`sparkctl render: ${message}`, 'Run sparkctl render --help for what there is.'],
  });
});

test('all wrong values are named at once', async () => {
  const wrong = ['--namespace=Jobs', '--uid=1', '--submission-id=x', '--attempt=0', '--submit-time=now', '--spark-user=a b', '--spark-submit-folders=data', '--master=https://x'];
  const { code, stderr } = await sparkctl(['render', 'pi.yaml', ...wrong]);
  expect(code).toBe(2);
  expect(stderr).toHaveLength(wrong.length + 1);
  for (const option of wrong) expect(stderr.join('\n')).toContain(`${option}: write `);
});

test('options are read as kubectl reads them', async () => {
  const seen: unknown[] = [];
  const echo = command({
    usage: '', description: '', examples: [], exitCodes: {},
    options: { output: { short: 'o', value: 'FORMAT', default: 'text', help: '' }, all: { short: 'A', help: '' } },
    run: async (values, positionals) => { seen.push([values.output, values.all, ...positionals]); return 3; },
  });
  const commands: CommandEntry[] = [{ name: 'echo', summary: '', load: async () => echo }];
  for (const line of ['a', '-o json -A', '-ojson', '-o=json', '--output json a', '--output=json --output=', '-A -o json -- -x', '-o -']) {
    expect(await runProgram(['echo', ...line.split(' ')], undefined as any, commands)).toBe(3);
  }
  expect(seen).toEqual([
    ['text', false, 'a'], ['json', true], ['json', false], ['json', false], ['json', false, 'a'], ['', false], ['json', true, '-x'], ['-', false],
  ]);
});
