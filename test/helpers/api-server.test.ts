import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ApiServer } from './api-server';
import { testAuthority, testCertificate } from './certificates';

const authority = testAuthority();
const asked: string[] = [];
let answers: ((response: ServerResponse) => void)[] = [];
const { certificate, key } = testCertificate(authority, { commonName: 'localhost' }, ['127.0.0.1']);
const server = createServer({ cert: certificate, key }, ({ method, url }, response) => {
  asked.push(`${method} ${url}`);
  answers.shift()!(response);
});
let api: ApiServer;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tls = { ca: Buffer.from(authority.certificate.toString()) };
  api = new ApiServer({ server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, credentials: async () => ({ headers: {}, tls }) });
});
afterAll(() => {
  api.close();
  server.closeAllConnections();
  server.close();
});

const json = (body: object, code = 200) => (response: ServerResponse) => response.writeHead(code).end(JSON.stringify(body));
const pod = (phase: string, resourceVersion: string) => ({ metadata: { name: 'a', resourceVersion }, status: { phase } });
const listed = (version: string, ...items: object[]) => json({ metadata: { resourceVersion: version }, items });
const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;

test('a collection is followed through the end and the loss of watches, without a gap', async () => {
  answers = [
    json({ message: 'the CRD is applied again' }, 404),
    listed('7'),
    (response) => {
      const text = event('ADDED', pod('Pendüng', '8')) + event('BOOKMARK', pod('', '9'));
      const bytes = Buffer.from(text);
      // In the middle of a letter.
      const cut = bytes.indexOf('ü') + 1;
      response.write(bytes.subarray(0, cut));
      setTimeout(() => response.end(bytes.subarray(cut)), 20);
    },
    (response) => response.end(event('ERROR', { message: 'too old resource version' })),
    listed('12', pod('Running', '11')),
    json({ kind: 'Status', code: 410 }, 410),
    listed('13', pod('Running', '11')),
    (response) => {
      response.write(event('MODIFIED', pod('Succeeded', '14')));
      setTimeout(() => response.destroy(), 20);
    },
    (response) => response.write(event('DELETED', pod('Succeeded', '15'))),
  ];
  const seen: string[] = [];
  for await (const { type, object } of api.follow('/pods?a=b')) {
    seen.push(type === 'LISTED' ? `LISTED ${object.items.map(({ status }: any) => status.phase)}` : `${type} ${object.status.phase}`);
    if (type === 'DELETED') break;
  }
  expect(seen).toEqual(['LISTED ', 'ADDED Pendüng', 'LISTED Running', 'LISTED Running', 'MODIFIED Succeeded', 'DELETED Succeeded']);
  const versions = asked.flatMap((line) => /watch=true.*resourceVersion=(\d+)$/.exec(line)?.[1] ?? []);
  expect(versions).toEqual(['7', '9', '12', '13', '14']);
});

test('it ends in time', async () => {
  answers = [listed('1'), (response) => setTimeout(() => response.end(), 400)];
  for await (const { type } of api.follow('/pods', Date.now() + 300)) expect(type).toBe('LISTED');
});

test('an error has the words of the API server', async () => {
  answers = [json({ message: 'pods "b" not found' }, 404)];
  await expect(api.must('GET', '/pods/b')).rejects.toThrow('GET /pods/b: 404 pods "b" not found');
});
