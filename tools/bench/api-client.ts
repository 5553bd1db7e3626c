import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** Address and credentials of an API server; certificates and keys in PEM. */
export interface ApiAccess {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  /** A bearer token. @default - the certificate identifies the client */
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Media types of patches. */
export const MERGE_PATCH = 'application/merge-patch+json';

/** A minimal client: JSON over TLS on kept connections. It has no rate limit, no retries and no deadlines. */
export class ApiClient {
  private readonly access: ApiAccess;
  private readonly agent: Agent;

  /** @param sockets concurrent calls; others wait */
  constructor(access: ApiAccess, sockets: number) {
    this.access = access;
    this.agent = new Agent({ keepAlive: true, maxSockets: sockets, ca: access.ca, cert: access.certificate, key: access.key });
  }

  /** Makes a call, and resolves with any answer. */
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

  /** Makes a call that has to succeed. */
  async json<R = any>(method: string, path: string, body?: object, contentType?: string): Promise<R> {
    const { status, text } = await this.call(method, path, body && JSON.stringify(body), contentType);
    if (status > 299) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Makes a call that has to succeed unless its object was deleted. */
export async function callUnlessGone(
  client: Pick<ApiClient, 'call'>, method: string, path: string, body?: object, contentType?: string,
): Promise<void> {
  const { status, text } = await client.call(method, path, body && JSON.stringify(body), contentType);
  if (status > 299 && status !== 404) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
}

/** Reads the body of a request or an answer. */
export function readText(message: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.once('end', () => resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString()));
    message.once('error', reject);
  });
}

/** Does `work` for each item, at most `width` at the same time. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, async () => {
    while (next < items.length) await work(items[next++]!);
  }));
}
