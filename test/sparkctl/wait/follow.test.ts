import type { ListOptions, WatchEvent, WatchOptions } from '../../../src/kube/client';
import { ApiError, NetworkError } from '../../../src/kube/errors';
import type { SparkApplication } from '../../../src/model/spark-application';
import { ApplicationState } from '../../../src/api/states';
import { exitCodeOf, follow, type FollowOptions } from '../../../src/sparkctl/wait/follow';
import { ManualClock, settle } from '../../kube/helpers/manual-clock';

const REF = { namespace: 'jobs', name: 'pi' };

function application(state: string, { uid = '1', generation = 1, observedGeneration }: { uid?: string; generation?: number; observedGeneration?: number } = {}): SparkApplication {
  return { metadata: { ...REF, uid, generation }, spec: {}, status: { driverInfo: {}, applicationState: { state }, observedGeneration } } as unknown as SparkApplication;
}

/** Fake API server that a test controls. */
class Server {
  public listed: SparkApplication[] = [];
  public lists = 0;
  /** Errors of the next requests. */
  public failures: Error[] = [];
  private version = 6;
  private watcher?: { readonly options: WatchOptions; readonly onEvent: (event: WatchEvent<any>) => void; readonly reject: (error: unknown) => void };

  public readonly client = {
    openPage: async (_: unknown, { fieldSelector }: ListOptions) => {
      expect(fieldSelector).toBe('metadata.name=pi');
      this.lists++;
      const failure = this.failures.shift();
      if (failure) throw failure;
      const resourceVersion = `${++this.version}`;
      return { items: this.listed.map((object) => ({ ...object, metadata: { ...object.metadata, resourceVersion } })), metadata: { resourceVersion } };
    },
    watch: (_: unknown, options: WatchOptions, onEvent: (event: WatchEvent<any>) => void) => new Promise<void>((_resolve, reject) => {
      this.watcher = { options, onEvent, reject };
      options.signal!.addEventListener('abort', () => reject(options.signal!.reason));
      options.onActivity?.();
    }),
  } as any;

  tell(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: SparkApplication): void {
    this.watcher!.onEvent({ type, object: { ...object, metadata: { ...object.metadata, resourceVersion: `${++this.version}` } } });
  }

  breakWatch(error: Error): void {
    this.watcher!.reject(error);
  }

  get watchedFrom(): string {
    return this.watcher!.options.resourceVersion;
  }
}

function start(server: Server, options: FollowOptions = {}) {
  const clock = new ManualClock();
  const states: string[] = [];
  const troubles: (string | undefined)[] = [];
  const done = follow(server.client, REF, {
    clock, random: () => 0, onChange: ({ status }) => states.push(status!.applicationState!.state), onTrouble: (error) => troubles.push(error?.message), ...options,
  });
  done.catch(() => undefined);
  return { clock, states, troubles, done };
}

const cutOff = () => new NetworkError({ verb: 'watch', resource: 'sparkapplications' }, 'CUT_OFF', 'the stream was cut off');

test.each([['COMPLETED', 0], ['FAILED', 1]])('follows an application until it is %s', async (end, code) => {
  const server = new Server();
  server.listed = [application('SUBMITTED')];
  const { done, states } = start(server);
  await settle();
  server.tell('MODIFIED', application('RUNNING'));
  server.tell('MODIFIED', application(end));
  const outcome = await done;
  expect(states).toEqual(['SUBMITTED', 'RUNNING', end]);
  expect(outcome).toMatchObject({ kind: 'state', application: { status: { applicationState: { state: end } } } });
  expect(exitCodeOf(outcome)).toBe(code);
});

test.each([['RUNNING', 0], ['COMPLETED', 1]])('waiting for RUNNING, %s has the exit code %d', async (state, code) => {
  const server = new Server();
  server.listed = [application(state)];
  expect(exitCodeOf(await start(server, { until: [ApplicationState.RUNNING] }).done)).toBe(code);
});

test('resumes a broken watch, and reports the problem meanwhile', async () => {
  const server = new Server();
  server.listed = [application('RUNNING')];
  const { clock, done, troubles } = start(server);
  await settle();
  server.breakWatch(cutOff());
  await settle();
  expect(troubles).toEqual(['watch sparkapplications: the stream was cut off']);
  await clock.advanceAsync(1_000);
  expect({ troubles, lists: server.lists, from: server.watchedFrom }).toEqual({ troubles: [expect.anything(), undefined], lists: 1, from: '7' });
  server.tell('MODIFIED', application('COMPLETED'));
  expect(exitCodeOf(await done)).toBe(0);
});

test('lists again if the resourceVersion has expired', async () => {
  const server = new Server();
  server.listed = [application('RUNNING')];
  const { clock, done } = start(server);
  await settle();
  server.listed = [application('COMPLETED')];
  server.breakWatch(new ApiError({ verb: 'watch', resource: 'sparkapplications' }, 410));
  await settle();
  await clock.advanceAsync(1_000);
  expect(await done).toMatchObject({ kind: 'state', isWanted: true });
  expect(server.lists).toBe(2);
});

test.each([
  ['deleted', (server: Server) => server.tell('DELETED', application('RUNNING'))],
  ['replaced by another one of its name', (server: Server) => server.tell('ADDED', application('COMPLETED', { uid: '2' }))],
])('an application that is %s counts as deleted', async (_, happens) => {
  const server = new Server();
  server.listed = [application('RUNNING')];
  const { done } = start(server);
  await settle();
  happens(server);
  const outcome = await done;
  expect(outcome).toMatchObject({ kind: 'deleted', application: { status: { applicationState: { state: 'RUNNING' } } } });
  expect(exitCodeOf(outcome)).toBe(4);
});

test('ends after the timeout', async () => {
  const server = new Server();
  server.listed = [application('RUNNING')];
  const { clock, done } = start(server, { timeout: 60_000 });
  await clock.advanceAsync(59_999);
  server.tell('MODIFIED', application('RUNNING'));
  await clock.advanceAsync(1);
  const outcome = await done;
  expect(outcome).toMatchObject({ kind: 'timed-out', application: {} });
  expect(exitCodeOf(outcome)).toBe(3);
  expect(clock.pending).toBe(0);
});

test('ignores the end of an older generation', async () => {
  const server = new Server();
  server.listed = [application('COMPLETED', { generation: 2, observedGeneration: 1 })];
  const { done, states } = start(server);
  await settle();
  server.tell('MODIFIED', application('FAILED', { generation: 2, observedGeneration: 2 }));
  expect(exitCodeOf(await done)).toBe(1);
  expect(states).toEqual(['COMPLETED', 'FAILED']);
});

test('untilDeleted ignores states', async () => {
  const server = new Server();
  server.listed = [application('COMPLETED')];
  const { done } = start(server, { untilDeleted: true, uid: '1' });
  await settle();
  server.tell('DELETED', application('COMPLETED'));
  expect(await done).toMatchObject({ kind: 'deleted' });
});

test('an application that does not exist or cannot be read is an error', async () => {
  const server = new Server();
  await expect(start(server).done).rejects.toMatchObject({ status: 404 });
  server.failures = [cutOff()];
  await expect(start(server).done).rejects.toMatchObject({ code: 'CUT_OFF' });
  server.listed = [application('RUNNING')];
  server.failures = [new ApiError({ verb: 'list', resource: 'sparkapplications' }, 403)];
  await expect(start(server).done).rejects.toMatchObject({ status: 403 });
});

test('rejects with the reason of the aborted signal', async () => {
  const server = new Server();
  server.listed = [application('RUNNING')];
  const user = new AbortController();
  const { done } = start(server, { signal: user.signal });
  await settle();
  user.abort(new Error('enough'));
  await expect(done).rejects.toThrow('enough');
});
