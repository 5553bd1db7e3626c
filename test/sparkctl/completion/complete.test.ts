/* Candidates for an incomplete command line. */
import { ApiError, NetworkError } from '../../../src/kube/errors';
import { runProgram } from '../../../src/sparkctl/program';
import { COMMANDS } from '../../../src/sparkctl/commands';
import { ARGUMENTS } from '../../../src/sparkctl/completion/arguments';
import { complete } from '../../../src/sparkctl/completion/complete';
import { completionTargetOf } from '../../../src/sparkctl/completion/completion-target';
import { startConsole, synthesizeOperator } from '../../../src/bin/programs';

// This module exists only in the bundle.
jest.mock('console-page', () => ({ script: '', style: '' }), { virtual: true });

const KUBECONFIG = 'contexts: [{name: home}, {name: "arn:aws:eks:x"}, {name: "$(touch /tmp/no)"}]\n';

/** Names by `plural namespace`. @default - the cluster is unreachable */
async function offered(line: string, names?: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  const asked: string[] = [];
  let out = '';
  const client = {
    listPage: async ({ plural }: { readonly plural: string }, { namespace = '' }: { readonly namespace?: string }) => {
      asked.push(`${plural} ${namespace}`.trim());
      const found = names?.[`${plural} ${namespace}`.trim()];
      if (!found) throw new NetworkError({ verb: 'list', resource: plural }, 'ECONNREFUSED', 'no answer');
      return { items: found.map((name) => ({ metadata: { name }, spec: { suspend: name !== 'etl' }, status: { applicationState: { state: 'RUNNING' } } })), metadata: {} };
    },
    close: () => {},
  };
  const code = await complete(line.split(' ').slice(1), {
    io: { stdout: (text: string) => { out += text; }, readFile: async () => KUBECONFIG } as any,
    connect: async ({ namespace = 'jobs' }) => ({ client, connection: {}, namespace, kubeconfig: ['/k', '/k2'] }) as any,
    signal: new AbortController().signal,
  }, COMMANDS);
  expect(code).toBe(0);
  return out.split('\n').slice(0, -1);
}

const words = async (line: string, names?: Readonly<Record<string, readonly string[]>>) => (await offered(line, names)).map((each) => each.split('\t')[0]);

const NAMES = { 'sparkapplications jobs': ['pi', 'pipe', 'etl'], 'sparkapplications other': ['there'], 'scheduledsparkapplications jobs': ['nightly'], 'namespaces': ['jobs', 'team-a', 'team-b'] };

test.each<[string, string[]]>([
  ['sparkctl rend', ['render']],
  ['sparkctl help comp', ['completion']],
  ['sparkctl --v', ['--version']],
  ['sparkctl render --out', ['--output']],
  ['sparkctl render --output ', ['yaml', 'json', 'properties', 'spark-submit']],
  ['sparkctl render --output=js', ['--output=json']],
  ['sparkctl render -o js', ['json']],
  ['sparkctl render -o=js', ['-o=json']],
  ['sparkctl render -ojs', ['-ojson']],
  ['sparkctl render ', [':files']],
  ['sparkctl render -- -', [':files']],
  ['sparkctl install --values ', [':files']],
  ['sparkctl completion ', ['bash', 'zsh', 'fish']],
  ['sparkctl completion bash ', []],
  ['sparkctl frobnicate ', []],
  ['sparkctl --name', ['--namespace']],
  ['sparkctl -n jobs rend', ['render']],
  ['sparkctl -n jobs render -o js', ['json']],
  ['sparkctl list s', ['schedules']],
  ['sparkctl schedule ', ['next']],
  ['sparkctl apply -f ', [':files']],
  ['sparkctl diff ', [':files']],
  ['sparkctl list -o ', ['json', 'yaml', 'name', 'wide']],
  ['sparkctl wait pi --for RUNNING,FA', ['RUNNING,FAILING', 'RUNNING,FAILED']],
  ['sparkctl log pi --since=1', ['--since=10m', '--since=1h']],
  ['sparkctl log pi --executor ', ['all']],
  ['sparkctl wait pi --timeout 1', ['10m', '1h']],
  ['sparkctl schedule next --time-zone Europe/Berl', ['Europe/Berlin']],
  ['sparkctl submit --dep', ['--deploy-mode']],
  ['sparkctl submit --deploy-mode ', ['cluster', 'client']],
  ['sparkctl submit --dry-run=', ['--dry-run=yaml', '--dry-run=typescript']],
  ['sparkctl submit --dry-run ', [':files']],
  ['sparkctl submit --jars ', [':files']],
  ['sparkctl submit --conf spark.executor.inst', ['spark.executor.instances=']],
  ['sparkctl submit -c spark.hadoop', ['spark.hadoop.']],
  // After the application there are no options of the command.
  ['sparkctl submit --name etl etl.py --', [':files']],
])('%j', async (line, expected) => {
  expect(await words(line)).toEqual(expected);
});

test.each<[string, string[]]>([
  ['sparkctl status p', ['pi', 'pipe']],
  ['sparkctl status pi p', ['pipe']],
  ['sparkctl edit p', ['pi', 'pipe']],
  ['sparkctl edit pi ', []],
  ['sparkctl create backfill --from ', ['schedule/nightly']],
  ['sparkctl create backfill --from=s', ['--from=schedule/nightly']],
  ['sparkctl delete pi p', ['pipe']],
  ['sparkctl status -n other ', ['there']],
  ['sparkctl status --namespace=other ', ['there']],
  ['sparkctl status schedule/', ['schedule/nightly']],
  ['sparkctl run ', ['nightly']],
  ['sparkctl schedule next ', ['nightly']],
  ['sparkctl ui p', ['pi', 'pipe']],
  ['sparkctl ui pi ', []],
  ['sparkctl rerun schedule/', []],
  ['sparkctl edit ', ['pi', 'pipe', 'etl', 'schedule/nightly']],
  ['sparkctl edit sch', ['schedule/nightly']],
  // Others are not suspended.
  ['sparkctl resume ', ['pi', 'pipe', 'schedule/nightly']],
  ['sparkctl -n other status ', ['there']],
  ['sparkctl -n team-', ['team-a', 'team-b']],
  ['sparkctl status -n ', ['jobs', 'team-a', 'team-b']],
  ['sparkctl status --namespace=team-', ['--namespace=team-a', '--namespace=team-b']],
  ['sparkctl install --job-namespace jobs,team-', ['jobs,team-a', 'jobs,team-b']],
  // No name that a shell would run.
  ['sparkctl status --context ', ['home', 'arn:aws:eks:x']],
])('from a cluster: %j', async (line, expected) => {
  expect(await words(line, NAMES)).toEqual(expected);
});

test('completes after an alias as after the command', async () => {
  expect(await words('sparkctl logs p', NAMES)).toEqual(await words('sparkctl log p', NAMES));
  expect(await words('sparkctl logs p', NAMES)).toEqual(['pi', 'pipe']);
});

test('offers names for every command that takes one', async () => {
  for (const [command, { first = [], kinds = [] }] of Object.entries(ARGUMENTS)) {
    for (const kind of kinds) {
      const prefix = kind === kinds[0] ? '' : `${kind}/`;
      const names = { 'sparkapplications jobs': ['pi'], 'scheduledsparkapplications jobs': ['pi'], 'sparkconnects jobs': ['pi'] };
      const [, ...others] = prefix === '' ? kinds : [];
      expect([command, await words(`sparkctl ${[command, ...first].join(' ')} ${prefix}`, names)]).toEqual([command, [`${prefix}pi`, ...others.map((each) => `${each}/pi`)]]);
    }
  }
});

test('prints the description after each candidate', async () => {
  expect(await offered('sparkctl status pi', NAMES)).toEqual(['pi\tRUNNING', 'pipe\tRUNNING']);
});

test('connects once for names of several kinds, as a program of the kubeconfig can ask for a password', async () => {
  let connections = 0;
  const client = { listPage: async () => ({ items: [], metadata: {} }), close: () => {} };
  await complete(['status', ''], {
    io: { stdout: () => {} } as any, connect: async () => { connections++; return { client, namespace: 'jobs' } as any; }, signal: new AbortController().signal,
  }, COMMANDS);
  expect(connections).toBe(1);
});

test('prints nothing if the cluster does not answer', async () => {
  expect(await offered('sparkctl status p')).toEqual([]);
});

test('every command has a definition of its arguments', () => {
  expect(COMMANDS.map(({ name }) => name).filter((name) => !Object.hasOwn(ARGUMENTS, name))).toEqual([]);
});

/** Command lines with all candidates; commands with a maximum of names have one name more. */
const written = Object.entries(ARGUMENTS).flatMap(([command, { first, kinds = [], most }]) => {
  const names = kinds.map((kind, index) => (index === 0 ? 'pi' : `${kind}/pi`));
  return names.length === 0 ? (first ?? []).map((word) => ({ command, words: [word], isFitting: true })) : [
    ...names.map((name) => ({ command, words: [...(first ?? []), name], isFitting: true })),
    ...(['application', 'schedule', 'connect'] as const).filter((kind) => !kinds.includes(kind)).map((kind) => ({ command, words: [...(first ?? []), `${kind}/pi`], isFitting: false })),
    { command, words: [...(first ?? []), 'pi', 'pipe'], isFitting: most !== 1 },
  ];
});

test.each(written)('commands take what is offered for them, and no more: $command $words', async ({ command, words: given, isFitting }) => {
  const code = await runProgram([command, ...given], {
    io: { stdout: () => {}, stderr: () => {} } as any,
    startConsole,
    synthesizeOperator,
    version: '1', packageFolder: '/nonexistent', terminal: { isTerminal: false, colour: false }, now: () => 0, signal: new AbortController().signal,
    connect: async () => ({ client: powerless, connection: { server: 'https://x' }, namespace: 'jobs' }) as any,
  });
  expect(code === 2).toBe(!isFitting);
});

/** Client of a user without permissions. */
const powerless = new Proxy({} as any, { get: (_, verb: string) => (verb === 'close' ? () => {} : () => refuse(verb)) });

function refuse(verb: string): never {
  throw new ApiError({ verb, resource: 'sparkapplications' }, 403);
}

test('an option with a value takes the next word, even if it looks like an option', () => {
  const options = { namespace: { short: 'n', value: 'NAME', help: '' }, all: { short: 'A', help: '' } };
  expect(completionTargetOf(['-n', '--all', ''], options)).toEqual({ of: 'word', text: '', others: [] });
  expect(completionTargetOf(['--all', 'a', '-A', 'b', ''], options)).toEqual({ of: 'word', text: '', others: ['a', 'b'] });
  expect(completionTargetOf(['--all', '-'], options)).toEqual({ of: 'option', text: '-' });
});
