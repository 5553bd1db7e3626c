/* The command line: commands, options, help. */
import { mkdir } from 'node:fs/promises';
import { command } from '../../src/sparkctl/command';
import { COMMANDS, type CommandEntry } from '../../src/sparkctl/commands';
import { fileProblem, Interrupted } from '../../src/sparkctl/errors';
import { runProgram } from '../../src/sparkctl/program';
import { terminalOf } from '../../src/sparkctl/terminal';
import { FakeCluster } from './cluster';
import { sparkctl } from './helpers';

test('help: of the program and of a command, by `help` and by --help', async () => {
  const { code, stdout } = await sparkctl(['--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}render +print the objects that the operator would create/m);
  expect((await sparkctl([])).stdout).toBe(stdout);
  expect((await sparkctl(['help'])).stdout).toBe(stdout);

  const ofCommand = await sparkctl(['render', '-h']);
  expect(ofCommand.code).toBe(0);
  expect(ofCommand.stdout).toContain('\nUsage: sparkctl render FILE… [options]\n');
  expect(ofCommand.stdout).toContain('  -o, --output=FORMAT ');
  expect(ofCommand.stdout).toContain('\n  2  the command line is wrong\n');
  expect((await sparkctl(['help', 'render'])).stdout).toBe(ofCommand.stdout);
});

test.each([[undefined, 80], [60, 80], [100, 100], [300, 120]])('help: at %p columns of the terminal no line has more than %p', async (columns, width) => {
  for (const name of ['', ...COMMANDS.map((entry) => entry.name)]) {
    let text = '';
    const context = { io: { stdout: (part: string) => { text += part; } }, terminal: { isTerminal: true, columns, colour: false }, signal: new AbortController().signal };
    expect(await runProgram([...name === '' ? [] : [name], '--help'], context as any)).toBe(0);
    expect(text.split('\n').filter((line) => line.length > width)).toEqual([]);
  }
});

test('help: long command lines can be pasted into a shell', async () => {
  expect((await sparkctl(['ui', '--help'])).stdout).not.toMatch(/ \\\n {4}.*\n {4}/);
  expect((await sparkctl(['create', '--help'])).stdout).toContain('  sparkctl create backfill --from=schedule/nightly \\\n    --override=arguments[0]=2026-03-01\n');
});

test.each([[new Error('interrupted by the user'), 'requests that the cluster has received take effect'], [new Interrupted('SparkApplication jobs/pi continues in the cluster'), 'SparkApplication jobs/pi continues in the cluster']])('Ctrl-C: one line about what continues, no stack, and exit code 130', async (error, message) => {
  const interrupt = new AbortController();
  const waits = command({
    usage: '', description: '', examples: [], exitCodes: {}, options: {},
    run: async () => {
      interrupt.abort(error);
      throw error;
    },
  });
  let output = '';
  const io = { stdout: (text: string) => { output += text; }, stderr: (text: string) => { output += text; } };
  const context = { io, terminal: { isTerminal: true, colour: false }, signal: interrupt.signal };
  expect(await runProgram(['waits'], context as any, [{ name: 'waits', summary: '', load: async () => ({ default: waits }) }])).toBe(130);
  expect(output).toBe(`\r\x1b[Ksparkctl waits: interrupted; ${message}\n`);
});

test.each([['logs', 'log'], ['ls', 'list'], ['get', 'list'], ['events', 'event']])('%s is %s', async (alias, name) => {
  const { code, stdout } = await sparkctl([alias, '--help']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: (await sparkctl([name, '--help'])).stdout });
  expect((await sparkctl(['help', alias])).stdout).toBe(stdout);
  expect((await sparkctl(['--help'])).stdout).toMatch(new RegExp(`^ {2}${name} [^(]*\\(or: [^)]*\\b${alias}\\b`, 'm'));
});

test('a terminal that reports no size is not limited to 0 columns', () => {
  expect(terminalOf({ isTTY: true, columns: 0, rows: 0 }, {})).toMatchObject({ isTerminal: true, columns: undefined, rows: undefined });
});

test('the size of a terminal is the current one', () => {
  const output = { isTTY: true, columns: 120, rows: 40 };
  const terminal = terminalOf(output, {});
  Object.assign(output, { columns: 80, rows: 24 });
  expect(terminal).toMatchObject({ columns: 80, rows: 24 });
  expect(terminalOf({ columns: 80, rows: 24 }, {})).toMatchObject({ columns: undefined, rows: undefined });
});

test.each(['--version', 'version'])('%s', async (word) => {
  expect(await sparkctl([word])).toMatchObject({ code: 0, stdout: '1.2.3\n' });
});

test.each([
  [['rendr'], 'there is no command rendr; did you mean render?'],
  [['lsit'], 'there is no command lsit; did you mean list?'],
  [['frobnicate'], 'there is no command frobnicate'],
  [['frobnicate', '--help'], 'there is no command frobnicate'],
  [['--wide', 'list', '-A'], 'the command comes first; write sparkctl list --wide -A'],
  [['-n'], '-n needs a value; write -n=NAME'],
])('rejects sparkctl %j', async (args, message) => {
  expect(await sparkctl(args)).toMatchObject({ code: 2, stdout: '', stderr: [`sparkctl: ${message}`, 'Run sparkctl --help for its usage.'] });
});

test.each([
  [[], 'FILE is missing; name the manifests, or write - for the standard input'],
  [['-', '-'], 'the standard input can only be read once; write - once'],
  [['pi.yaml', '--ouptut=json'], 'there is no option --ouptut; did you mean --output?'],
  [['pi.yaml', '-x'], 'there is no option -x'],
  [['pi.yaml', '--output=xml'], '--output=xml: write one of yaml, json, properties, spark-submit'],
  [['pi.yaml', '--output'], '--output needs a value; write --output=FORMAT'],
  [['--output', '--mode=native', 'pi.yaml'], '--output needs a value; write --output=FORMAT'],
  [['pi.yaml', '--templates-dir=t'], '--templates-dir needs --output=spark-submit; add it'],
])('rejects sparkctl render %j, with the remedy', async (args, message) => {
  expect(await sparkctl(['render', ...args])).toMatchObject({
    code: 2, stdout: '', stderr: [`sparkctl render: ${message}`, 'Run sparkctl render --help for its usage.'],
  });
});

test('names all wrong values in one message', async () => {
  const wrong = ['--namespace=Jobs', '--uid=1', '--submission-id=x', '--attempt=0', '--submit-time=now', '--spark-user=a b', '--master=https://x'];
  const { code, stderr } = await sparkctl(['render', 'pi.yaml', ...wrong]);
  expect(code).toBe(2);
  expect(stderr).toHaveLength(wrong.length + 1);
  for (const option of wrong) expect(stderr.join('\n')).toContain(`${option}: write `);
});

test('parses options like kubectl', async () => {
  const seen: unknown[] = [];
  const echo = command({
    usage: '', description: '', examples: [], exitCodes: {},
    options: { output: { short: 'o', value: 'FORMAT', default: 'text', help: '' }, all: { short: 'A', help: '' }, filename: { short: 'f', value: 'FILE', isPositional: true, help: '' } },
    run: async (values, positionals) => { seen.push([values.output, values.all, ...positionals]); return 3; },
  });
  const commands: CommandEntry[] = [{ name: 'echo', summary: '', load: async () => ({ default: echo }) }];
  for (const line of ['a', '-o json -A', '-ojson', '-o=json', '--output json a', '--output=json --output=', '-A -o json -- -x', '-o -', '-A=true', '-A --all=false', 'a -f b -f=c d', '-- -A=true']) {
    expect(await runProgram(['echo', ...line.split(' ')], {} as any, commands)).toBe(3);
  }
  expect(seen).toEqual([
    ['text', false, 'a'], ['json', true], ['json', false], ['json', false], ['json', false, 'a'], ['', false], ['json', true, '-x'], ['-', false], ['text', true], ['text', false], ['text', false, 'a', 'b', 'c', 'd'], ['text', false, '-A=true'],
  ]);
});

test.each([
  ['-n team list -A', ['team', true]],
  ['--namespace=team --context prod list', ['team', false]],
  ['-n= list', ['jobs', false]],
  ['list --namespace=', ['jobs', false]],
])('accepts cluster options before and after the command, and ignores empty ones: sparkctl %s', async (line, seen) => {
  const asked: unknown[] = [];
  const client = { list: (_: unknown, { namespace }: { namespace?: string }) => (asked.push(namespace), []), get: async () => ({}), close: () => {} } as any;
  expect((await sparkctl(line.split(' '), { cluster: { client } })).code).toBe(0);
  expect(asked).toEqual([seen[1] ? undefined : seen[0]]);
});

test.each([
  ['status ..', '..: .. is not a valid name of a SparkApplication; names consist of lower case letters, digits, - and .'],
  ['status Pi', 'Pi: Pi is not a valid name of a SparkApplication; names consist of lower case letters, digits, - and .'],
  ['describe schedule/', 'schedule/ has no name; write schedule/NAME'],
  ['list -n ../kube-system', '--namespace=../kube-system: write the name of a namespace: lower case letters, digits and -'],
])('sparkctl %s: rejects an invalid name', async (line, message) => {
  expect(await sparkctl(line.split(' '), { cluster: new FakeCluster() })).toMatchObject({ code: 2, stderr: [`sparkctl ${line.split(' ')[0]}: ${message}`, expect.anything()] });
});

test('rejects an empty name', async () => {
  expect(await sparkctl(['status', ''], { cluster: new FakeCluster() })).toMatchObject({ code: 2, stderr: ['sparkctl status: an empty word has no name; write NAME', expect.anything()] });
});

test.each([__filename, `${__filename}/folder`])('a folder that cannot be created, as there is a file: %s', async (path) => {
  expect(await mkdir(path, { recursive: true }).catch(fileProblem)).toBe('a part of the path is a file, not a folder; choose another path');
});

test('in a terminal, errors wrap between words, and commands stay whole', async () => {
  const { code, stderr } = await sparkctl(['status', 'absent'], { cluster: new FakeCluster(), errorColumns: 40 });
  expect({ code, stderr }).toEqual({
    code: 1, stderr: [
      'sparkctl status: there is no',
      '  SparkApplication jobs/absent;',
      '  `sparkctl list -n jobs` lists existing',
      '  ones',
    ],
  });
  expect((await sparkctl(['frobnicate'], { errorColumns: 30 })).stderr).toEqual(['sparkctl: there is no command', '  frobnicate', 'Run sparkctl --help for its', '  usage.']);
});

test('the width of standard error is its own', () => {
  expect(terminalOf({ isTTY: true, columns: 120 }, {}, { isTTY: false })).toMatchObject({ columns: 120, errorColumns: undefined });
  expect(terminalOf({ isTTY: false }, {}, { isTTY: true, columns: 80 })).toMatchObject({ isTerminal: false, columns: undefined, errorColumns: 80 });
});

test('internal error: prints the message, and the stack only with SPARKCTL_DEBUG', async () => {
  const client = { list: () => { throw new TypeError('x is \x1b[2Jundefined'); }, close: () => {} } as any;
  const { code, stdout, stderr } = await sparkctl(['list'], { cluster: { client } });
  expect({ code, stdout, stderr }).toEqual({
    code: 1, stdout: '', stderr: ['sparkctl list: x is \\u001b[2Jundefined', 'This is a bug in sparkctl 1.2.3: please report it, with the command line; run it again with SPARKCTL_DEBUG=1 to see where'],
  });
  const { stderr: reported } = await sparkctl(['list'], { cluster: { client }, debug: true });
  expect(reported.join('\n')).toContain('program.test.ts');
});
