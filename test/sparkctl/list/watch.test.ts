/* The list as it changes. */
import { FakeCluster } from '../../console/helpers/fake-cluster';
import list from '../../../src/sparkctl/commands/list';
import { ApiError, NetworkError } from '../../../src/kube/errors';
import type { Resource } from '../../../src/kube/resource';
import { filterOf } from '../../../src/sparkctl/list/filter';
import { watchList } from '../../../src/sparkctl/list/watch';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { NOW } from '../helpers';
import { Running } from '../log/fake-kube';

const application = (name: string, state: string, message?: string, driverInfo = {}): any => ({
  metadata: { name, namespace: 'jobs', uid: name, resourceVersion: '1', creationTimestamp: new Date(NOW - 60_000).toISOString() },
  spec: { driver: {}, executor: { instances: 1 } }, status: { applicationState: { state, errorMessage: message }, submissionAttempts: 1, driverInfo },
});

/** Lists nothing. */
const NONE = async function* () {}; // eslint-disable-line @typescript-eslint/no-empty-function

interface Given {
  readonly isTerminal?: boolean;
  readonly rows?: number;
  readonly columns?: number;
  readonly options?: object;
  readonly listOf?: unknown;
  readonly driverInfo?: object;
}

/** Watched list with two applications. `change` sends an event of the watch. */
async function watched({ isTerminal = false, rows, columns = 80, options = {}, listOf = NONE, driverInfo = {} }: Given = {}) {
  const clock = new ManualClock(NOW);
  const user = new AbortController();
  const output = { text: '' };
  let send: (event: unknown) => void = () => {};
  let version = 1;
  const client: any = {
    openPage: async () => ({ items: [application('a', 'RUNNING', undefined, driverInfo), application('b', 'SUBMITTED')], metadata: { resourceVersion: '1' } }),
    watch: (_: unknown, { signal }: any, onEvent: typeof send) => new Promise((_resolve, reject) => {
      send = onEvent;
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
    list: listOf,
  };
  const filter = filterOf({ failed: false, attention: false, since: undefined, ...options }, 'application', () => clock.now());
  const done = watchList(client, { kind: 'application', namespace: 'jobs', filter, wide: false, none: 'There are none.' }, {
    io: { stdout: (text: string) => { output.text += text; } } as any, terminal: { isTerminal, columns, rows, colour: false }, signal: user.signal,
  }, clock);
  done.catch(() => {});
  await clock.advanceAsync(1_500);
  const taken = () => {
    const { text } = output;
    output.text = '';
    return text;
  };
  return {
    clock, taken, done, interrupt: () => user.abort(new Error('Ctrl-C')),
    async change(type: string, object: any) {
      object.metadata.resourceVersion = String(++version);
      send({ type, object });
      await clock.advanceAsync(1_500);
    },
  };
}

test('a terminal shows the current list in place of the previous one', async () => {
  const { taken, change, interrupt, done, clock } = await watched({ isTerminal: true });
  expect(taken()).toMatch(/^NAME .*\na +RUNNING .*\nb +SUBMITTED .*\n$/);
  await change('MODIFIED', application('b', 'SUBMITTED', 'driver does not start: ImagePullBackOff: x'));
  expect(taken()).toMatch(/^\x1b\[3A\x1b\[0JNAME .*\na +RUNNING .*\nb +SUBMITTED \(ImagePullBackOff\) .*\n$/); // eslint-disable-line no-control-regex
  interrupt();
  await expect(done).rejects.toThrow('the applications continue in the cluster');
  expect(clock.pending).toBe(0);
});

test('Ctrl-C ends the command with exit code 130 and one line', async () => {
  const cluster = await FakeCluster.start();
  try {
    cluster.put('namespaces', { metadata: { name: 'jobs' } } as any);
    cluster.put('sparkapplications', application('pi', 'RUNNING'));
    const running = new Running({ client: () => cluster.client, connection: {} as any }, { name: 'list', summary: '', load: async () => ({ default: list }) }, ['--watch']);
    await running.printed('RUNNING');
    running.interrupt();
    expect(await running.code).toBe(130);
    expect(running.out).toMatch(/\npi +RUNNING .*\n! sparkctl list: interrupted; the applications continue in the cluster\n$/);
  } finally {
    await cluster.stop();
  }
});

test('it fails at once if the API server cannot be reached', async () => {
  const clock = new ManualClock(NOW);
  const client: any = { openPage: async () => { throw new NetworkError({ verb: 'list', resource: 'sparkapplications' }, 'ECONNREFUSED', 'refused'); } };
  const filter = filterOf({ failed: false, attention: false, since: undefined }, 'application', () => NOW);
  const done = watchList(client, { kind: 'application', filter, wide: false, none: '' }, { io: {} as any, terminal: { isTerminal: true, colour: false }, signal: new AbortController().signal }, clock);
  const outcome = expect(done).rejects.toThrow('list sparkapplications: refused');
  await clock.advanceAsync(2_000);
  await outcome;
  expect(clock.pending).toBe(0);
});

test('it has no more lines than the window, and shows the newest', async () => {
  const { taken, interrupt } = await watched({ isTerminal: true, rows: 4 });
  expect(taken()).toMatch(/^NAME .*\nb +SUBMITTED .*\nand 1 more\n$/);
  interrupt();
});

test('in a small window, the newest give way to what needs attention', async () => {
  const { taken, change, interrupt } = await watched({ isTerminal: true, rows: 4 });
  taken();
  await change('MODIFIED', application('a', 'SUBMITTED', 'driver does not start: ImagePullBackOff: x'));
  expect(taken()).toMatch(/\na +SUBMITTED \(ImagePullBackOff\) .*\nand 1 more\n$/);
  interrupt();
});

test('each line fits into the window', async () => {
  const { taken, interrupt } = await watched({ isTerminal: true, rows: 4, columns: 10, options: { state: 'FAILED' } });
  expect(taken()).toBe('There are…\n');
  interrupt();
  const older = await watched({ isTerminal: true, rows: 4, columns: 9 });
  expect(older.taken()).toMatch(/\nand 1 mo…\n$/);
  older.interrupt();
});

test('elsewhere the list is printed once, then each changed row', async () => {
  const { taken, change, interrupt, clock } = await watched();
  expect(taken()).toMatch(/^NAME .*\na .*\nb .*\n$/);
  await clock.advanceAsync(60_000);
  expect(taken()).toBe('');
  await change('MODIFIED', application('a', 'COMPLETED'));
  expect(taken()).toMatch(/^a +COMPLETED .*\n$/);
  await change('DELETED', application('b', 'SUBMITTED'));
  expect(taken()).toMatch(/^b +gone from the list\n$/);
  interrupt();
});

test('elsewhere the header is printed again when a column becomes wider', async () => {
  const { taken, change, interrupt } = await watched();
  taken();
  const stuck = application('a', 'SUBMITTED', 'driver does not start: ImagePullBackOff: x');
  await change('MODIFIED', stuck);
  const [header, line] = taken().split('\n');
  expect(header!.indexOf('EXECUTORS')).toBe(line!.indexOf('0/1'));
  await change('MODIFIED', application('b', 'RUNNING'));
  expect(taken()).toMatch(/^b +RUNNING .*\n$/);
  interrupt();
});

test('rows that the options no longer select disappear', async () => {
  const { taken, change, interrupt } = await watched({ isTerminal: true, options: { state: 'RUNNING' } });
  expect(taken()).toMatch(/^NAME .*\na .*\n$/);
  await change('MODIFIED', application('a', 'COMPLETED'));
  expect(taken()).toMatch(/There are none\.\n$/);
  interrupt();
});

test('--attention reports that pods cannot be read', async () => {
  // eslint-disable-next-line require-yield
  const listOf = async function* ({ plural }: Resource) {
    if (plural === 'pods') throw new ApiError({ verb: 'list', resource: 'pods' }, 403);
  };
  const { taken, interrupt } = await watched({ isTerminal: true, options: { attention: true }, columns: 200, listOf, driverInfo: { podName: 'a-driver' } });
  expect(taken()).toMatch(/\nApplications might be missing, as you cannot read pods: `kubectl auth can-i list pods -n jobs`\n$/);
  interrupt();
});
