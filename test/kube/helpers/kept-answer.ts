/*
 * Prints how many bytes of a large answer stay in memory while its connection is idle;
 * kept-answer.test.ts runs it with --expose-gc.
 */
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { systemClock } from '../../../src/kube/clock';
import { Deadline } from '../../../src/kube/deadline';
import { PooledTransport } from '../../../src/kube/pooled-transport';
import { Transport } from '../../../src/kube/transport';
import { testAuthority, testCertificate } from '../../helpers/certificates';

const CHUNK = Buffer.alloc(64 * 1024, ' ');
const CHUNKS = 256;

async function main(): Promise<void> {
  // Node keeps a connection's first request only for its TLS session.
  const authority = testAuthority('test');
  const { certificate: cert, key } = testCertificate(authority, { commonName: 'server' }, ['localhost']);
  const server = https.createServer({ cert, key }, ({ url }, response) => {
    if (url === '/small') response.end('small');
    else Readable.from(Array.from({ length: CHUNKS }, () => CHUNK)).pipe(response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const Kind = process.argv[2] === 'undici' ? PooledTransport : Transport;
  const transport = new Kind({ server: `https://localhost:${(server.address() as AddressInfo).port}`, credentials: () => ({ headers: {}, tls: { ca: authority.certificate.toString() } }) } as never, 1);
  const call = { verb: 'get', resource: 'things' } as never;
  const read = async (path: string) => {
    const request = { method: 'GET', path, headers: {}, stream: false, call };
    return (await transport.call(request, new Deadline(systemClock), { maxBytes: 1e9 })).body.length;
  };
  const lengths = [await read('/large'), await read('/small')];
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc!();
  globalThis.gc!();
  process.stdout.write(JSON.stringify({ lengths, arrayBuffers: process.memoryUsage().arrayBuffers }));
  transport.close();
  server.close();
}

void main();
