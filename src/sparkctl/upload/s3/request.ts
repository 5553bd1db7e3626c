import { createHash } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AwsV4Signer } from 'aws4fetch';
import { escapedPath } from '../content';
import type { S3Credentials } from './credentials';
import { S3Error } from './errors';

/** Milliseconds without network activity after which a request fails. */
const IDLE_TIMEOUT = 60_000;

/** Milliseconds to wait for `100 Continue` before the body is sent: not all servers support it. */
const CONTINUE_TIMEOUT = 1_000;

/** Request body. It can be opened again for another attempt. */
export interface Body {
  readonly size: number;
  /** SHA-256, in hexadecimal digits. The server rejects other bytes. */
  readonly sha256: string;
  open(): Readable;
}

/** Common part of the modules `http` and `https`. */
type Client = Pick<typeof https, 'request' | 'Agent'>;

/** Request to S3's API. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Key of the object in the bucket. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly body?: Body | string;
  /** Called with the number of bytes of the body that have been sent. */
  readonly onSent?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Response of a server. */
export interface S3Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Bucket of a server. */
export interface Bucket {
  /**
   * Sends a request, without retries.
   *
   * @throws {S3Error} for an error response or a network error
   */
  send(request: S3Request): Promise<S3Answer>;
  close(): void;
}

/** Returns the URL of Amazon's server, which is the default. */
export function amazonEndpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/**
 * Returns a client for a bucket. It uses path-style URLs, which all servers support and
 * certificates match.
 */
export function bucketOf(name: string, credentials: S3Credentials): Bucket {
  const { endpoint = amazonEndpoint(credentials.region), ...signing } = credentials;
  const base = endpoint.replace(/\/+$/, '');
  const client: Client = base.startsWith('https:') ? https : http as unknown as Client;
  const agent = new client.Agent({ keepAlive: true, maxSockets: 8 });
  return {
    async send(request) {
      const { method, key, query = {}, body = '' } = request;
      const url = new URL(`${base}/${name}/${escapedPath(key)}?${new URLSearchParams(query)}`.replace(/\?$/, ''));
      const content: Body = typeof body === 'string' ? bodyOf(body) : body;
      const { headers } = await new AwsV4Signer({
        ...signing, service: 's3', method, url: url.href, headers: { 'x-amz-content-sha256': content.sha256 },
      }).sign();
      return exchange(client, agent, url, Object.fromEntries(headers), content, request);
    },
    close: () => agent.destroy(),
  };
}

function bodyOf(content: string): Body {
  return {
    size: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex'),
    open: () => Readable.from([content]),
  };
}

function exchange(
  client: Client, agent: https.Agent, url: URL, headers: Record<string, string>, body: Body, { method, onSent, signal }: S3Request,
): Promise<S3Answer> {
  return new Promise((resolve, reject) => {
    const isLarge = body.size > 64 * 1024;
    const request = client.request(url, {
      method, agent, signal, timeout: IDLE_TIMEOUT,
      headers: {
        ...headers,
        ...((method === 'PUT' || method === 'POST') && { 'content-length': String(body.size) }),
        // The server can reject the request before the body, instead of breaking the connection
        // during it.
        ...(isLarge && { expect: '100-continue' }),
      },
    });
    let stream: Readable | undefined;
    let isAnswered = false;
    const sendBody = () => {
      if (stream || isAnswered) return;
      clearTimeout(timer);
      stream = body.open();
      let sent = 0;
      stream.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        onSent?.(sent);
      });
      stream.once('error', (error) => request.destroy(error));
      stream.pipe(request);
    };
    const timer = isLarge ? setTimeout(sendBody, CONTINUE_TIMEOUT) : undefined;
    const finish = () => {
      clearTimeout(timer);
      stream?.destroy();
    };
    request.once('continue', sendBody);
    request.once('timeout', () => request.destroy(
      Object.assign(new Error(`the server was silent for ${IDLE_TIMEOUT / 1_000} s`), { code: 'ETIMEDOUT' }),
    ));
    request.on('error', (error: NodeJS.ErrnoException) => {
      finish();
      if (!isAnswered) reject(signal?.aborted ? signal.reason : S3Error.ofNetwork(error, url.origin));
    });
    request.once('response', (response) => {
      isAnswered = true;
      text(response).then((answer) => {
        const status = response.statusCode!;
        // The rest of the body is not needed any more.
        if (stream && !stream.readableEnded) request.destroy();
        finish();
        if (status >= 200 && status < 300) resolve({ status, headers: response.headers, text: answer });
        else reject(S3Error.ofAnswer(status, answer, response.headers));
        if (!stream && isLarge) request.destroy();
      }, (error: NodeJS.ErrnoException) => {
        finish();
        reject(signal?.aborted ? signal.reason : S3Error.ofNetwork(error, url.origin));
      });
    });
    if (body.size === 0) request.end();
    else if (!isLarge) sendBody();
    else request.flushHeaders();
  });
}
