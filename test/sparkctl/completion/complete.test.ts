/* What is offered for an unfinished command line. */
import { ApiError, NetworkError } from '../../../src/kube/errors';
import { runProgram } from '../../../src/sparkctl/program';
import { COMMANDS } from '../../../src/sparkctl/commands';
import { WORDS } from '../../../src/sparkctl/completion/arguments';
import { complete } from '../../../src/sparkctl/completion/complete';
import { situationOf } from '../../../src/sparkctl/completion/situation';
import { startConsole, synthesizeOperator } from '../../../src/bin/programs';

// It is in the bundle only.
jest.mock('console-page', () => ({ script: '', style: '' }), { virtual: true });

const KUBECONFIG = 'contexts: [{name: home}, {name: "arn:aws:eks:x"}, {name: "$(touch /tmp/no)"}]\n';

/** Names by `plural namespace`; without them the cluster is out of reach. */
async function offered(line: string, names?: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  const asked: string[] = [];
  let out = '';
  const client = {
    listPage: async ({ plural }: { readonly plural: string }, { namespace = '' }: { readonly namespace?: string }) => {
      asked.push(`${plural} ${namespace}`.trim());
      const found = names?.[`${plural} ${namespace}`.trim()];
      if (!found) throw new NetworkError({ verb: 'list', resource: plural }, 'ECONNREFUSED', 'no answer');
      return { items: found.map((name) => ({ metadata: { name }, status: { applicationState: { state: 'RUNNING' } } })), metadata: {} };
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
])('%j', async (line, expected) => {
  expect(await words(line)).toEqual(expected);
});

test.each<[string, string[]]>([
  ['sparkctl status p', ['pi', 'pipe']],
  ['sparkctl delete pi p', ['pipe']],
  ['sparkctl status -n other ', ['there']],
  ['sparkctl status --namespace=other ', ['there']],
  ['sparkctl status schedule/', ['schedule/nightly']],
  ['sparkctl run ', ['nightly']],
  ['sparkctl schedule next ', ['nightly']],
  ['sparkctl ui p', ['pi', 'pipe']],
  ['sparkctl ui pi ', []],
  ['sparkctl rerun schedule/', []],
  ['sparkctl -n other status ', ['there']],
  ['sparkctl -n team-', ['team-a', 'team-b']],
  ['sparkctl status -n ', ['jobs', 'team-a', 'team-b']],
  ['sparkctl status --namespace=team-', ['--namespace=team-a', '--namespace=team-b']],
  ['sparkctl install --job-namespace jobs,team-', ['jobs,team-a', 'jobs,team-b']],
  // Nothing that a shell would run.
  ['sparkctl status --context ', ['home', 'arn:aws:eks:x']],
])('of a cluster: %j', async (line, expected) => {
  expect(await words(line, NAMES)).toEqual(expected);
});

test('what a candidate means stands behind it', async () => {
  expect(await offered('sparkctl status pi', NAMES)).toEqual(['pi\tRUNNING', 'pipe\tRUNNING']);
});

test('a cluster that does not answer makes no noise', async () => {
  expect(await offered('sparkctl status p')).toEqual([]);
});

test('it is known of each command what its words are', () => {
  expect(COMMANDS.map(({ name }) => name).filter((name) => !Object.hasOwn(WORDS, name))).toEqual([]);
});

/** Command lines with all that is offered, and one name more than is offered where there is an end. */
const written = Object.entries(WORDS).flatMap(([command, { first, kinds = [], most }]) => {
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
    version: '1', schemas: undefined as any, terminal: { isTerminal: false, colour: false }, now: () => 0, signal: new AbortController().signal,
    connect: async () => ({ client: powerless, connection: { server: 'https://x' }, namespace: 'jobs' }) as any,
  });
  expect(code === 2).toBe(!isFitting);
});

/** A client of a cluster in which the user may do nothing. */
const powerless = new Proxy({} as any, { get: (_, verb: string) => (verb === 'close' ? () => {} : () => refuse(verb)) });

function refuse(verb: string): never {
  throw new ApiError({ verb, resource: 'sparkapplications' }, 403);
}

test('an option with a value takes the next word, whatever it looks like', () => {
  const options = { namespace: { short: 'n', value: 'NAME', help: '' }, all: { short: 'A', help: '' } };
  expect(situationOf(['-n', '--all', ''], options)).toEqual({ of: 'word', text: '', others: [] });
  expect(situationOf(['--all', 'a', '-A', 'b', ''], options)).toEqual({ of: 'word', text: '', others: ['a', 'b'] });
  expect(situationOf(['--all', '-'], options)).toEqual({ of: 'option', text: '-' });
});
