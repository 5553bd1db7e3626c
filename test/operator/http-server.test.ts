import { serve, type RunningServer } from '../../src/operator/http-server';

let server: RunningServer;
const errors: unknown[] = [];
const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

beforeAll(async () => {
  server = await serve({ host: '127.0.0.1', port: 0 }, {
    '/ok': () => ({ status: 200, body: 'fine\n' }),
    '/broken': () => { throw new Error('a secret detail'); },
  }, (error) => errors.push(error));
});
afterAll(() => server.close());

test('a path is answered, with a query or without', async () => {
  for (const path of ['/ok', '/ok?verbose']) {
    const answer = await get(path);
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: 'fine\n' });
  }
});

test('HEAD has no body', async () => expect(await (await get('/ok', { method: 'HEAD' })).text()).toBe(''));

test('anything but reading is refused', async () => expect((await get('/ok', { method: 'POST', body: 'x' })).status).toBe(405));

test.each(['/', '/nothing', '/__proto__', '/constructor'])('%s is not there', async (path) => expect((await get(path)).status).toBe(404));

test('an error is told to the log, not to the caller', async () => {
  const answer = await get('/broken');
  expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 500, body: 'internal error, see the log\n' });
  expect(errors).toEqual([new Error('a secret detail')]);
});

test('a port that is taken is an error at once', async () => {
  await expect(serve({ host: '127.0.0.1', port: server.port }, {}, () => undefined)).rejects.toThrow('EADDRINUSE');
});
