import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CertificateSource } from '../../../../../src/operator/admission/certificates/source';

/** A server that always shows the current certificate of a source, like the webhook. */
export async function serve(source: CertificateSource): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer({ ...source.current() }, (_, response) => response.end('fine'));
  source.onChange(() => server.setSecureContext({ ...source.current() }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/**
 * Makes a request over a new connection, as a client that trusts `ca`.
 *
 * @returns the serial number of the certificate that it was shown
 * @throws if it does not trust the server, or gets no answer
 */
export async function ask(port: number, ca: string, servername: string): Promise<string> {
  const call = request({ host: '127.0.0.1', port, ca, servername, agent: false }).end();
  const [response] = await once(call, 'response');
  const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate();
  response.resume();
  await once(response, 'end');
  return serialNumber;
}
