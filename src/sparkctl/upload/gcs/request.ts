import { Readable } from 'node:stream';
import { exchanger, type Answer, type RequestBody } from '../exchange';
import type { TokenSource } from './credentials';
import { GcsError } from './errors';

/** Google's server. */
export const GOOGLE = 'https://storage.googleapis.com';

/** Request to the JSON API. */
export interface GcsRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, or the URL of an upload that the server has begun. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly body?: RequestBody | string;
  /** Called with the number of bytes of the body that have been sent. */
  readonly onSent?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Google Cloud Storage. */
export interface Gcs {
  /**
   * Sends a request, without retries. 308 is the answer to a part of an upload.
   *
   * @throws {GcsError} for an error response or a network error
   */
  send(request: GcsRequest): Promise<Answer>;
  close(): void;
}

/** Returns a client. @param server URL of the server */
export function gcsOf(server: string, token: TokenSource): Gcs {
  const connections = exchanger(server);
  return {
    async send({ method, url: path, headers = {}, body = '', onSent, signal }) {
      const url = new URL(path, server);
      // The server chooses the URL of an upload; a token must not leave for another one.
      if (url.origin !== new URL(server).origin) throw GcsError.ofNetwork(new Error(`it refers to ${url.origin}`), server);
      const authorization = await token();
      const answer = await connections.exchange({
        method, url, onSent, signal,
        headers: { ...headers, ...(authorization !== undefined && { authorization: `Bearer ${authorization}` }) },
        body: typeof body === 'string' ? { size: Buffer.byteLength(body), open: () => Readable.from([body]) } : body,
      }).catch((error: NodeJS.ErrnoException) => { throw signal?.aborted ? error : GcsError.ofNetwork(error, server); });
      if ((answer.status >= 200 && answer.status < 300) || answer.status === 308) return answer;
      throw GcsError.ofAnswer(answer.status, answer.text);
    },
    close: () => connections.close(),
  };
}
