import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** How to reach an API server, and as whom. PEM where it is not said. */
export interface ApiAccess {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  /** A bearer token; without it the certificate is who we are. */
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** As few things as a client can do: JSON over TLS on connections that are kept. No limits of rate, no retries, no deadlines. */
export class ApiClient {
  private readonly access: ApiAccess;
  private readonly agent: Agent;

  /** @param sockets calls under way at once; more wait */
  constructor(access: ApiAccess, sockets: number) {
    this.access = access;
    this.agent = new Agent({ keepAlive: true, maxSockets: sockets, ca: access.ca, cert: access.certificate, key: access.key });
  }

  /** Makes a call, and resolves with whatever is answered. */
  call(method: string, path: string, body?: string, contentType = 'application/json'): Promise<Answer> {
    const { host, port, token } = this.access;
    const headers: Record<string, string | number> = { accept: 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) {
      headers['content-type'] = contentType;
      headers['content-length'] = Buffer.byteLength(body);
    }
    return new Promise((resolve, reject) => {
      request({ host, port, method, path, headers, agent: this.agent }, (response) => {
        readText(response).then((text) => resolve({ status: response.statusCode!, text }), reject);
      }).on('error', reject).end(body);
    });
  }

  /** As `call`, for what has to succeed. */
  async json<R = any>(method: string, path: string, body?: object, contentType?: string): Promise<R> {
    const { status, text } = await this.call(method, path, body && JSON.stringify(body), contentType);
    if (status > 299) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  close(): void {
    this.agent.destroy();
  }
}

/** As `call`, for what has to succeed unless somebody has deleted what it is about. */
export async function callUnlessGone(client: Pick<ApiClient, 'call'>, method: string, path: string, body?: object, contentType?: string): Promise<void> {
  const { status, text } = await client.call(method, path, body && JSON.stringify(body), contentType);
  if (status > 299 && status !== 404) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
}

/** Reads the body of a request or of an answer. */
export function readText(message: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.once('end', () => resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString()));
    message.once('error', reject);
  });
}

/** Does `work` for each item, at most `width` of them at the same time. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, async () => {
    while (next < items.length) await work(items[next++]!);
  }));
}
