import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address } from '../flags/configuration';
import { InboundConnections, type ConnectionLimits } from '../kube/inbound-connections';

/** The answer of a path. */
export interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string | Buffer;
}

/** A listening server. */
export interface RunningServer {
  /** The port, also if the requested one was 0. */
  readonly port: number;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

/** Open connections. The kubelet opens one for each probe, Prometheus keeps one. */
const CONNECTIONS: ConnectionLimits = { all: 64, ofClient: 8 };

/** Bytes of the head of a request. */
const MAX_HEADER_SIZE = 8 * 1024;

/** Milliseconds for a head, and between two checks for late connections. */
const HEADERS_TIMEOUT = 5_000;

/** Milliseconds for a request, and for reading its answer: the default timeout of Prometheus. */
const TIMEOUT = 10_000;

/**
 * Serves a few paths to GET and HEAD. A failed answer is a 500 without details; `onError` receives
 * the error.
 */
export async function serve(
  address: Address, paths: Readonly<Record<string, () => Answer | Promise<Answer>>>, onError: (error: unknown) => void,
): Promise<RunningServer> {
  const server = createServer({ maxHeaderSize: MAX_HEADER_SIZE, connectionsCheckingInterval: HEADERS_TIMEOUT });
  new InboundConnections(CONNECTIONS).serve(server, async (request, response) => {
    const timer = setTimeout(() => response.destroy(), TIMEOUT).unref();
    response.once('close', () => clearTimeout(timer));
    const path = (request.url ?? '/').split('?')[0]!;
    let answer: Answer;
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {answer = { status: 405, body: 'only GET is answered\n' };} else {
        answer = (await (Object.hasOwn(paths, path) ? paths[path]!() : undefined)) ?? {
          status: 404, body: `try ${Object.keys(paths).join(', ')}\n`,
        };
      }
    } catch (error) {
      onError(error);
      answer = { status: 500, body: 'internal error, see the log\n' };
    }
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  });
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = TIMEOUT;
  server.timeout = TIMEOUT;
  await listen(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
