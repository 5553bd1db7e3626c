import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '../../src/kube/clock';
import type { Credentials, TlsOptions } from '../../src/kube/connection';
import { Deadline } from '../../src/kube/deadline';
import { type HttpRequest, readBytes, Transport } from '../../src/kube/transport';
import { testAuthority, testCertificate } from '../helpers/certificates';

const CALL = { verb: 'get', resource: 'things' };
const REQUEST: HttpRequest = { method: 'GET', path: '/', headers: {}, stream: false, call: CALL };

describe('TLS', () => {
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
    transport = new Transport({ server: `https://localhost:${port}`, credentials: () => ({ headers: {}, tls }) }, 4);
  });

  afterEach(async () => {
    transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Who the server says that it has been asked by. */
  async function asked(given: TlsOptions, stream = false): Promise<string> {
    tls = given;
    return (await readBytes(await transport.open({ ...REQUEST, stream }, new Deadline(systemClock)), 1_000, CALL)).toString('utf8');
  }

  test('a connection is kept as long as the settings say the same', async () => {
    expect(await asked(alice)).toBe('alice');
    expect(await asked({ ...alice, ca: Buffer.from(ca) })).toBe('alice');
    expect(connections).toBe(1);
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
  ])('%s counts at once, though a connection is open', async (_, changed) => {
    await asked(alice);
    await expect(asked(changed)).rejects.toThrow(/certificate/);
  });
});

test('nothing is sent when the end comes with the credentials', async () => {
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

test('once closed nothing is sent any more, nor what waits for a connection', async () => {
  const server = http.createServer();
  const seen: string[] = [];
  server.on('connection', () => seen.push('connection'));
  server.on('request', () => seen.push('request'));
  const arrived = new Promise((resolve) => server.once('request', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const transport = new Transport({ server: `http://127.0.0.1:${port}`, credentials: () => ({ headers: {}, tls: {} }) }, 1);
  const open = () => transport.open(REQUEST, new Deadline(systemClock));

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
