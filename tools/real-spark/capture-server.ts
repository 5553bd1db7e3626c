import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a client sent. */
export interface CapturedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly contentType: string;
  /** The JSON in the body; undefined if there is none. */
  readonly body: any;
}

/**
 * Answers like an API server as far as spark-submit needs it, and records what it is asked: what is posted is created and gets a uid,
 * what is patched is applied. Listens on the loopback interface only, without TLS.
 */
export class CaptureServer {
  /** Starts a server on a port that is free. */
  public static async start(): Promise<CaptureServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CaptureServer(server);
  }

  /** `http://127.0.0.1:<port>` */
  public readonly url: string;
  private readonly server: Server;
  private requests: CapturedRequest[] = [];

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', async (request, response) => {
      const captured = await read(request);
      this.requests.push(captured);
      const [status, body] = answer(captured);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  /** Requests since the last call. */
  public take(): CapturedRequest[] {
    const taken = this.requests;
    this.requests = [];
    return taken;
  }

  /** Ends the server and all connections. */
  public async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function read(request: IncomingMessage): Promise<CapturedRequest> {
  const body = await text(request);
  return {
    method: request.method!,
    url: request.url!,
    contentType: request.headers['content-type'] ?? '',
    body: body === '' ? undefined : JSON.parse(body),
  };
}

function answer({ method, url, body }: CapturedRequest): [status: number, body: object] {
  if (method === 'POST') return [201, { ...body, metadata: { ...body.metadata, uid: randomUUID() } }];
  if (method === 'PATCH') return [200, body];
  if (method === 'DELETE') return [200, { apiVersion: 'v1', kind: 'Status', status: 'Success' }];
  return [404, { apiVersion: 'v1', kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound', message: `${method} ${url} is not served` }];
}
