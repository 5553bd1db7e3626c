import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { escapedPath } from '../content';
import { exchanger, type Answer } from '../exchange';
import type { S3Credentials } from './credentials';
import { S3Error } from './errors';

/** Request body. It can be opened again for another attempt. */
export interface Body {
  readonly size: number;
  /** SHA-256, in hexadecimal digits. The server rejects other bytes. */
  readonly sha256: string;
  open(): Readable;
}

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

/** Bucket of a server. */
export interface Bucket {
  /**
   * Sends a request, without retries.
   *
   * @throws {S3Error} for an error response or a network error
   */
  send(request: S3Request): Promise<Answer>;
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
  const connections = exchanger(base);
  return {
    async send(request) {
      const { method, key, query = {}, body = '' } = request;
      const url = new URL(`${base}/${name}/${escapedPath(key)}?${new URLSearchParams(query)}`.replace(/\?$/, ''));
      const content: Body = typeof body === 'string' ? bodyOf(body) : body;
      const { headers } = await new AwsV4Signer({
        ...signing, service: 's3', method, url: url.href, headers: { 'x-amz-content-sha256': content.sha256 },
      }).sign();
      const { onSent, signal } = request;
      const answer = await connections.exchange({
        method, url, headers: Object.fromEntries(headers), body: content, onSent, signal,
      }).catch((error: NodeJS.ErrnoException) => { throw signal?.aborted ? error : S3Error.ofNetwork(error, url.origin); });
      if (answer.status >= 200 && answer.status < 300) return answer;
      throw S3Error.ofAnswer(answer.status, answer.text, answer.headers);
    },
    close: () => connections.close(),
  };
}

function bodyOf(content: string): Body {
  return {
    size: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex'),
    open: () => Readable.from([content]),
  };
}
