import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readText, type ApiAccess } from '../api-client.ts';

/** A call and its answer. */
export interface RecordedCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body: string;
  /** Arrival and end of the answer, in milliseconds of one clock. */
  readonly began: number;
  readonly ended: number;
  readonly status: number;
  readonly answer: string;
}

/** A proxy in front of the API server that records all calls but watches. */
export interface Recorder {
  readonly url: string;
  /** Returns the calls since the last time, in the order of their arrival. */
  take(): RecordedCall[];
  close(): void;
}

/** Starts a recorder on a port of the loopback interface. */
export async function startRecorder({ host, port, ca }: ApiAccess): Promise<Recorder> {
  const agent = new Agent({ keepAlive: true, ca });
  let calls: RecordedCall[] = [];

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch((error: Error) => outgoing.destroy(error));
  });

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const began = performance.now();
    const body = await readText(incoming);
    const { host: _, connection: __, ...headers } = incoming.headers;
    const { method = '', url: path = '' } = incoming;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host, port, method, path, headers, agent }, resolve).on('error', reject).end(body);
    });
    outgoing.writeHead(response.statusCode!, response.headers);
    if (path.includes('watch=true')) {
      response.pipe(outgoing);
      outgoing.once('close', () => response.destroy());
      return;
    }
    const answer = await readText(response);
    const [contentType, status] = [incoming.headers['content-type'], response.statusCode!];
    calls.push({ method, path, contentType, body, began, ended: performance.now(), status, answer });
    outgoing.end(answer);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = calls.sort((a, b) => a.began - b.began);
      calls = [];
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
