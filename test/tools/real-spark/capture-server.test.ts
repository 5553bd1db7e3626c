import { CaptureServer } from '../../../tools/real-spark/capture-server';

let server: CaptureServer;
beforeEach(async () => (server = await CaptureServer.start()));
afterEach(() => server.stop());

const send = async (method: string, path: string, contentType: string, body?: object) => {
  const response = await fetch(server.url + path, { method, headers: { 'content-type': contentType }, body: body && JSON.stringify(body) });
  return { status: response.status, body: await response.json() as { metadata?: { uid?: string } } };
};

test('what is posted is created and gets a uid, what is applied is answered as it is', async () => {
  const pod = { kind: 'Pod', metadata: { name: 'p' } };
  const created = await send('POST', '/api/v1/namespaces/n/pods', 'application/json', pod);
  expect(created).toMatchObject({ status: 201, body: { kind: 'Pod', metadata: { name: 'p', uid: expect.stringMatching(/^[0-9a-f-]{36}$/) } } });

  const service = { kind: 'Service', metadata: { name: 's', ownerReferences: [{ uid: created.body.metadata!.uid }] } };
  expect(await send('PATCH', '/api/v1/namespaces/n/services/s?force=true', 'application/apply-patch+yaml', service)).toEqual({ status: 200, body: service });
});

test('each request is there once, as it came', async () => {
  await send('POST', '/api/v1/namespaces/n/pods', 'application/json', { metadata: { name: 'ünïcödé 😀' } });
  await send('GET', '/version', 'text/plain');

  expect(server.take()).toEqual([
    { method: 'POST', url: '/api/v1/namespaces/n/pods', contentType: 'application/json', body: { metadata: { name: 'ünïcödé 😀' } } },
    { method: 'GET', url: '/version', contentType: 'text/plain', body: undefined },
  ]);
  expect(server.take()).toEqual([]);
});

test('what spark-submit never asks for is not found', async () => {
  expect((await send('GET', '/api/v1/namespaces/n/pods/p', 'text/plain')).status).toBe(404);
});
