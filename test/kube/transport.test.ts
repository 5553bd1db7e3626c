import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '../../src/kube/clock';
import type { Credentials, TlsOptions } from '../../src/kube/connection';
import { Deadline } from '../../src/kube/deadline';
import { PooledTransport } from '../../src/kube/pooled-transport';
import { type HttpRequest, readBytes, Transport } from '../../src/kube/transport';
import { testAuthority, testCertificate } from '../helpers/certificates';

const CALL = { verb: 'get', resource: 'things' };
const REQUEST: HttpRequest = { method: 'GET', path: '/', headers: {}, stream: false, call: CALL };

const TRANSPORTS = [['of Node', Transport], ['of undici', PooledTransport]] as const;

describe.each(TRANSPORTS)('TLS, with the client %s', (_name, Kind) => {
  const authority = testAuthority('test');
  const ca = authority.certificate.toString();
  const client = (commonName: string): TlsOptions => {
    const { certificate: cert, key } = testCertificate(authority, { commonName });
    return { ca, cert, key };
  };
  const alice = client('alice');
  const bob = client('bob');

  let server: https.Server;
  let connections: number;
  let tls: TlsOptions;
  let transport: Transport;

  beforeEach(async () => {
    const { certificate: cert, key } = testCertificate(authority, { commonName: 'server' }, ['localhost']);
    server = https.createServer({ ca, cert, key, requestCert: true, rejectUnauthorized: false }, ({ socket }, response) => {
      response.end((socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody');
    });
    connections = 0;
    server.on('secureConnection', () => { connections++; });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    transport = new Kind({ server: `https://localhost:${port}`, credentials: () => ({ headers: {}, tls }) }, 4);
  });

  afterEach(async () => {
    transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Returns the client that the server sees. */
  async function asked(given: TlsOptions, stream = false): Promise<string> {
    tls = given;
    const body = stream
      ? await readBytes(await transport.open({ ...REQUEST, stream }, new Deadline(systemClock)), 1_000, CALL)
      : (await transport.call(REQUEST, new Deadline(systemClock), { maxBytes: 1_000 })).body;
    return body.toString('utf8');
  }

  test('a connection is reused while the settings are equal', async () => {
    expect(await asked(alice)).toBe('alice');
    expect(await asked({ ...alice, ca: Buffer.from(ca) })).toBe('alice');
    // undici needs a moment until a connection is idle.
    expect(connections).toBeLessThanOrEqual(Kind === Transport ? 1 : 2);
    for (let call = 0; call < 10; call++) await asked({ ...alice });
    expect(connections).toBeLessThanOrEqual(2);
  });

  test('a new certificate gets a new connection, also for watches', async () => {
    expect([await asked(alice), await asked(alice, true)]).toEqual(['alice', 'alice']);
    expect([await asked(bob), await asked(bob, true)]).toEqual(['bob', 'bob']);
    expect(await asked({ ca })).toBe('nobody');
  });

  test.each<[string, TlsOptions]>([
    ['another authority', { ...alice, ca: testAuthority('other').certificate.toString() }],
    ['another name', { ...alice, servername: 'elsewhere' }],
    ['only well-known authorities', { ...alice, ca: undefined }],
  ])('%s applies at once, although a connection is open', async (_, changed) => {
    await asked(alice);
    await expect(asked(changed)).rejects.toThrow(/certificate/);
  });
});

test('nothing is sent when the deadline expires with the credentials', async () => {
  const controller = new AbortController();
  const agent = new http.Agent();
  const connect = jest.spyOn(agent, 'createConnection');
  const credentials = (): Credentials => {
    controller.abort(new Error('stopping'));
    return { headers: {}, tls: {}, agent };
  };

  await expect(new Transport({ server: 'http://127.0.0.1:9', credentials }, 1).open(REQUEST, new Deadline(systemClock, controller.signal))).rejects.toThrow('stopping');
  expect(connect).not.toHaveBeenCalled();
});

test('a body that closes without an error and without an end is cut off', async () => {
  const response = new PassThrough();
  const body = readBytes(response as unknown as http.IncomingMessage, 1_000, CALL);
  response.write('{"kind":');
  response.destroy();

  await expect(body).rejects.toMatchObject({ code: 'CUT_OFF' });
});

test.each(TRANSPORTS)('once closed the client %s sends no requests, not even those that wait for a connection', async (_, Kind) => {
  const server = http.createServer();
  const seen: string[] = [];
  server.on('connection', () => seen.push('connection'));
  server.on('request', () => seen.push('request'));
  const arrived = new Promise((resolve) => server.once('request', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const transport = new Kind({ server: `http://127.0.0.1:${port}`, credentials: () => ({ headers: {}, tls: {} }) }, 1);
  const open = () => transport.call(REQUEST, new Deadline(systemClock), { maxBytes: 1_000 });

  const underWay = open();
  const waiting = [open(), open()];
  await arrived;
  transport.close();
  const results = await Promise.allSettled([underWay, ...waiting, open()]);

  expect(results).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ code: 'ECONNRESET' }) },
    ...Array(3).fill({ status: 'rejected', reason: expect.objectContaining({ code: 'CLOSED' }) }),
  ]);
  await new Promise((resolve) => server.close(resolve));
  expect(seen).toEqual(['connection', 'request']);
});
