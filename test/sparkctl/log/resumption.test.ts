/* Reading the log of one container across broken connections: each byte once. */
import * as fc from 'fast-check';
import { allBytes } from '../../helpers/bytes';
import { type Clock, systemClock } from '../../../src/kube/clock';
import { ApiError, NetworkError } from '../../../src/kube/errors';
import { type FollowOptions, followToEnd } from '../../../src/sparkctl/log/pod-log';

const CALL = { verb: 'get', resource: 'pods/log' };
const DRIVER = { ref: { namespace: 'jobs', name: 'pi-driver' }, uid: 'u1', container: 'spark' };
/** Clock whose pauses take no time. */
const clock: Clock = { ...systemClock, setTimeout: (callback) => setImmediate(callback), clearTimeout: (timer) => clearImmediate(timer as NodeJS.Immediate) };

interface Line {
  readonly stamp: string;
  readonly body: Buffer;
}

/** Connection to the log. */
interface Visit {
  /** Number of lines that the container has written by then. */
  readonly lines: number;
  /** Bytes until the connection breaks. @default - it ends in order */
  readonly breaksAfter?: number;
  readonly chunk: number;
}

/**
 * Kubelet with a script of connections; after them, the container has ended and the whole log is
 * available.
 */
function kubelet(log: readonly Line[], visits: readonly Visit[]): FollowOptions['client'] & { readonly asked: (string | undefined)[] } {
  const left = [...visits];
  const asked: (string | undefined)[] = [];
  const terminated = () => (left.length === 0 ? { terminated: { exitCode: 0 } } : { running: {} });
  const fake = {
    asked,
    get: async () => ({ metadata: { name: 'pi-driver', uid: 'u1' }, spec: { containers: [{ name: 'spark', env: [{ name: 'SPARK_DRIVER_BIND_ADDRESS' }] }] }, status: { phase: 'Running', containerStatuses: [{ name: 'spark', state: terminated() }] } }),
    async *bytes(_resource: unknown, _ref: unknown, _sub: unknown, { query }: { query: { sinceTime?: string } }) {
      asked.push(query.sinceTime);
      const { lines, breaksAfter, chunk } = left.shift() ?? { lines: log.length, chunk: 1_000 };
      const since = Date.parse(query.sinceTime ?? '1970-01-01');
      const all = Buffer.concat(log.slice(0, lines).filter(({ stamp }) => Date.parse(stamp) >= since).flatMap(({ stamp, body }) => [Buffer.from(`${stamp} `), body, Buffer.from('\n')]));
      const bytes = all.subarray(0, breaksAfter);
      for (let from = 0; from < bytes.length; from += chunk) yield bytes.subarray(from, from + chunk);
      if (breaksAfter !== undefined) throw new NetworkError(CALL, 'CUT_OFF', 'the answer was cut off');
    },
  };
  return fake as unknown as ReturnType<typeof kubelet>;
}

async function followed(client: FollowOptions['client'], options: Partial<FollowOptions> = {}): Promise<Buffer> {
  return allBytes(followToEnd(DRIVER, { client, clock, random: () => 0, onLost: () => {}, ...options }));
}

function stampOf(nanoseconds: number): string {
  const [seconds, rest] = [Math.floor(nanoseconds / 1e9), nanoseconds % 1e9];
  return `${new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString().slice(0, 19)}.${String(rest).padStart(9, '0')}Z`;
}

/**
 * Times that mostly grow: often equal, sometimes earlier than the previous one by less than a
 * second.
 */
const logs = fc.array(fc.record({
  pause: fc.oneof(fc.constant(0), fc.integer({ min: -900_000_000, max: 2_500_000_000 })),
  body: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a))),
}), { maxLength: 30 }).map((entries) => {
  let newest = 5e9;
  return entries.map(({ pause, body }) => {
    const time = newest + pause;
    newest = Math.max(newest, time);
    return { stamp: stampOf(time), body };
  });
});

const journeys = logs.chain((log) => fc.record({
  log: fc.constant(log),
  visits: fc.array(fc.record({ lines: fc.nat(log.length), breaksAfter: fc.option(fc.nat(2_500), { nil: undefined }), chunk: fc.integer({ min: 1, max: 100 }) }), { maxLength: 8 })
    .map((visits) => [...visits].sort((a, b) => a.lines - b.lines)),
}));

test.each([false, true])('no byte is lost or repeated, wherever connections break (timestamps: %s)', async (timestamps) => {
  await fc.assert(fc.asyncProperty(journeys, async ({ log, visits }) => {
    const expected = Buffer.concat(log.flatMap(({ stamp, body }) => [...(timestamps ? [Buffer.from(`${stamp} `)] : []), body, Buffer.from('\n')]));
    const found = await followed(kubelet(log, visits), { timestamps });
    expect(found.toString('latin1')).toBe(expected.toString('latin1'));
  }), { numRuns: 500 });
});

const LOG: readonly Line[] = ['first', 'second', 'third'].map((body, index) => ({ stamp: stampOf(index * 1e9), body: Buffer.from(body) }));

test('reports a lost connection once, with the reason', async () => {
  const lost: string[] = [];
  const breaking = { lines: 2, breaksAfter: 0, chunk: 10 };
  await followed(kubelet(LOG, [{ ...breaking, breaksAfter: 35 }, breaking, breaking]), { onLost: ({ message }) => lost.push(message) });
  expect(lost).toEqual(['get pods/log: the answer was cut off']);
});

test('the first request is for the wanted part, later ones only for new lines', async () => {
  const client = kubelet(LOG, [{ lines: 3, breaksAfter: 0, chunk: 10 }, { lines: 3, breaksAfter: 110, chunk: 10 }]);
  await followed(client, { sinceTime: new Date(Date.UTC(2026, 1, 1)) });
  expect(client.asked).toEqual(['2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:01Z']);
});

test('does not read the log of another pod of the same name', async () => {
  const client = { ...kubelet(LOG, []), get: async () => ({ metadata: { name: 'pi-driver', uid: 'u2' } }) } as unknown as FollowOptions['client'];
  expect(await followed(client)).toHaveLength(0);
});

test.each([
  ['the pod is gone', new ApiError(CALL, 404), undefined],
  ['the right is missing', new ApiError(CALL, 403), '403 Forbidden'],
])('%s', async (_, error, message) => {
  const client = { get: async () => { throw error; } } as unknown as FollowOptions['client'];
  if (message) await expect(followed(client)).rejects.toThrow(message);
  else expect(await followed(client)).toHaveLength(0);
});

test('completes a truncated line; passes messages of the kubelet without a time on', async () => {
  const client = kubelet(LOG, [{ lines: 3, breaksAfter: 35, chunk: 10 }]);
  const { bytes } = client;
  let visits = 0;
  const rotated = {
    ...client,
    bytes: (...args: Parameters<typeof bytes>) => (visits++ === 0 ? bytes(...args) : (async function* () { yield Buffer.from(`${stampOf(9e9)} after\nrpc error: no such container\n`); })()),
  };
  expect((await followed(rotated)).toString()).toBe('firs\nafter\nrpc error: no such container\n');
});
