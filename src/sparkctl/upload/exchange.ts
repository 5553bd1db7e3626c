import * as http from 'node:http';
import * as https from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Milliseconds without network activity after which a request fails. */
const IDLE_TIMEOUT = 60_000;

/** Milliseconds to wait for `100 Continue` before the body is sent: not all servers support it. */
const CONTINUE_TIMEOUT = 1_000;

/** Request body. It can be opened again for another attempt. */
export interface RequestBody {
  readonly size: number;
  open(): Readable;
}

/** HTTP request. */
export interface Exchange {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  /** Called with the number of bytes of the body that have been sent. */
  readonly onSent?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Response of a server. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Connections to a server, which requests share. */
export interface Exchanger {
  /**
   * Sends a request, without retries, and streams its body.
   *
   * @returns the response, also one with an error
   * @throws {NodeJS.ErrnoException} for a network error, or the reason of the signal
   */
  exchange(request: Exchange): Promise<Answer>;
  close(): void;
}

/** Common part of the modules `http` and `https`. */
type Client = Pick<typeof https, 'request' | 'Agent'>;

/** Returns the connections to a server. */
export function exchanger(server: string): Exchanger {
  const client: Client = server.startsWith('https:') ? https : http as unknown as Client;
  const agent = new client.Agent({ keepAlive: true, maxSockets: 8 });
  return { exchange: (request) => exchange(client, agent, request), close: () => agent.destroy() };
}

function exchange(client: Client, agent: https.Agent, { method, url, headers, body, onSent, signal }: Exchange): Promise<Answer> {
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
      if (!isAnswered) reject(signal?.aborted ? signal.reason : error);
    });
    request.once('response', (response) => {
      isAnswered = true;
      text(response).then((answer) => {
        // The rest of the body is not needed any more.
        if (stream && !stream.readableEnded) request.destroy();
        finish();
        resolve({ status: response.statusCode!, headers: response.headers, text: answer });
        if (!stream && isLarge) request.destroy();
      }, (error: NodeJS.ErrnoException) => {
        finish();
        reject(signal?.aborted ? signal.reason : error);
      });
    });
    if (body.size === 0) request.end();
    else if (!isLarge) sendBody();
    else request.flushHeaders();
  });
}
