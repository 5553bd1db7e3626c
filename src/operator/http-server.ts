import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Connections } from './admission/connections';
import type { Address } from './configuration';
import type { Clock } from '../kube/clock';

/** What a path answers. */
export interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string | Buffer;
}

/** A server that is listening. */
export interface RunningServer {
  /** The port, also when 0 was asked for. */
  readonly port: number;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

/** Open connections. Beyond them the oldest ends, so that a new probe or scrape always gets in. */
export const CONNECTIONS = { all: 256, ofAddress: 64 } as const;

/** Milliseconds from a request until its answer is sent: Prometheus waits for 10 s by default. */
export const ANSWER_TIME = 10_000;

/**
 * Serves a few paths to GET and HEAD. An answer that throws is a 500 without details; `onError`
 * receives the error. Anyone who reaches the port can connect.
 */
export async function serve(
  address: Address, paths: Readonly<Record<string, () => Answer | Promise<Answer>>>, onError: (error: unknown) => void, clock: Clock,
): Promise<RunningServer> {
  const connections = new Connections(CONNECTIONS);
  const busy = new WeakSet<Socket>();
  const server = createServer(async (request, response) => {
    const { socket } = request;
    // Answers to pipelined requests would pile up; Prometheus and the kubelet send none.
    if (busy.has(socket)) return void socket.destroy();
    busy.add(socket);
    const timer = clock.setTimeout(() => socket.destroy(), ANSWER_TIME);
    response.once('close', () => {
      clock.clearTimeout(timer);
      busy.delete(socket);
    });
    const path = (request.url ?? '/').split('?')[0]!;
    let answer: Answer;
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') answer = { status: 405, body: 'only GET is answered\n' };
      else answer = (await (Object.hasOwn(paths, path) ? paths[path]!() : undefined)) ?? { status: 404, body: `try ${Object.keys(paths).join(', ')}\n` };
    } catch (error) {
      onError(error);
      answer = { status: 500, body: 'internal error, see the log\n' };
    }
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  server.on('connection', (socket) => connections.add(socket));
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
