/* Waiting for an object with an API server that loses watches. */
import { FakeApiServer, isList, isWatch, status } from '../../kube/helpers/fake-api-server';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { thing, THINGS, type Thing } from '../../kube/helpers/things';
import { waitFor } from '../../../src/sparkctl/setup/wait';

let server: FakeApiServer;
beforeEach(async () => { server = await FakeApiServer.start(); });
afterEach(() => server.stop());

/** Waits; pauses between attempts take no time. */
function wait(isDone: (object: Thing | undefined) => boolean) {
  const user = new AbortController();
  const clock = new ManualClock();
  const seen: (number | undefined)[] = [];
  const ref = { namespace: 'default', name: 'a' };
  const look = (object: Thing | undefined) => {
    seen.push(object?.spec?.size);
    return isDone(object);
  };
  let isOver = false;
  const done = waitFor(server.client(), { resource: THINGS, ref, isDone: look }, user.signal, { clock, random: () => 0 }).finally(() => { isOver = true; });
  done.catch(() => undefined);
  const passing = (async () => {
    while (!isOver) {
      await clock.advanceAsync(60_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return { done: done.finally(() => passing), seen, user };
}

test('returns immediately if the condition is met', async () => {
  server.put(thing('a', undefined, { size: 2 }));
  const { done, seen } = wait((object) => object?.spec?.size === 2);
  await done;
  expect(seen).toEqual([2]);
});

test('an object is only missing once the list is complete', async () => {
  await wait((object) => object === undefined).done;
  expect(server.requests.filter(isWatch)).toEqual([]);
});

test.each<[string, () => void]>([
  ['is cut off', () => server.disconnect()],
  ['is ended by a server that stops', () => server.endWatches()],
  ['is too old to be resumed', () => {
    server.compact();
    server.disconnect();
  }],
  ['breaks while the server is overloaded', () => {
    for (let times = 0; times < 3; times++) server.fail(isWatch, status(503, 'ServiceUnavailable'));
    server.disconnect();
  }],
])('resumes a watch that %s', async (_, lose) => {
  server.put(thing('a', undefined, { size: 1 }));
  const first = server.request(isWatch);
  const { done, seen } = wait((object) => object === undefined);
  await first;
  const second = server.request(isWatch);
  lose();
  await second;
  server.remove('a');
  await done;
  expect(seen.at(-1)).toBe(undefined);
});

test('fails immediately without the permission', async () => {
  server.fail(isList, status(403, 'Forbidden', 'jane cannot list things'));
  await expect(wait(() => true).done).rejects.toMatchObject({ status: 403 });
});

test('rejects when the signal is aborted', async () => {
  const watched = server.request(isWatch);
  const { done, user } = wait((object) => object !== undefined);
  await watched;
  user.abort(new Error('enough'));
  await expect(done).rejects.toThrow('enough');
});
