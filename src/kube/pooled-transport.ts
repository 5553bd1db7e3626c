import type { IncomingHttpHeaders } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import type { Credentials, TlsOptions } from './connection';
import type { Deadline } from './deadline';
import { NetworkError, toError } from './errors';
import {
  CLOSED, IDLE_CONNECTION_TIMEOUT, sameTls, TCP_KEEP_ALIVE, Transport, type Answer, type AnswerLimits, type HttpRequest,
} from './transport';

/** Milliseconds for a new connection, if no deadline is shorter. */
const CONNECT_TIMEOUT = 30_000;

/** Codes of undici for errors that Node has other codes for. */
const CODES: Readonly<Record<string, string>> = { UND_ERR_SOCKET: 'ECONNRESET', UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT' };

/**
 * Transport whose calls use undici, for programs with many calls: a call takes about half of the
 * CPU time of Node's HTTP client. Streams, and calls through a proxy, use the latter.
 */
export class PooledTransport extends Transport {
  private current?: { readonly tls: TlsOptions; readonly pool: Pool };

  /** Closes all connections; active, waiting and later requests fail. */
  override close(): void {
    super.close();
    const error = Object.assign(new Error(CLOSED.message), CLOSED);
    this.current?.pool.destroy(error).catch(() => undefined);
    this.current = undefined;
  }

  protected override exchange(
    request: HttpRequest, credentials: Credentials, deadline: Deadline, limits: AnswerLimits,
  ): Promise<Answer> {
    if (credentials.agent) return super.exchange(request, credentials, deadline, limits);
    return new Promise((resolve, reject) => {
      if (this.closed) throw new NetworkError(request.call, CLOSED.code, CLOSED.message);
      const exchange = new Exchange(request, deadline, limits, resolve, reject);
      deadline.onAbort((reason) => exchange.abort(reason));
      this.poolFor(credentials.tls).dispatch({
        method: request.method as Dispatcher.HttpMethod,
        path: this.basePath + request.path,
        headers: { ...request.headers, ...credentials.headers },
        body: request.body,
      }, exchange);
    });
  }

  private poolFor(tls: TlsOptions): Pool {
    if (!this.current || !sameTls(this.current.tls, tls)) {
      // Requests under way keep their connections until they are answered.
      this.current?.pool.close().catch(() => undefined);
      const pool = new Pool(new URL(this.connection.server).origin, {
        connections: this.maxSockets,
        allowH2: false,
        keepAliveTimeout: IDLE_CONNECTION_TIMEOUT,
        keepAliveMaxTimeout: IDLE_CONNECTION_TIMEOUT,
        // Deadlines end calls.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: { ...tls as { ca?: string }, timeout: CONNECT_TIMEOUT, keepAliveInitialDelay: TCP_KEEP_ALIVE },
      });
      this.current = { tls, pool };
    }
    return this.current.pool;
  }
}

/** One request and its answer. */
class Exchange implements Dispatcher.DispatchHandler {
  private controller?: Dispatcher.DispatchController;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private status = 0;
  private headers: IncomingHttpHeaders = {};

  constructor(
    private readonly request: HttpRequest, private readonly deadline: Deadline, private readonly limits: AnswerLimits,
    private readonly resolve: (answer: Answer) => void, private readonly reject: (reason: unknown) => void,
  ) {}

  /** Rejects, and closes the connection if the request was sent. */
  abort(reason: unknown): void {
    this.reject(reason);
    this.controller?.abort(toError(reason));
  }

  /** Called when there is a connection, right before sending. If it throws, nothing is sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.deadline.throwIfAborted();
    try {
      this.request.mayBeSent?.();
    } catch (error) {
      this.reject(error);
      throw error;
    }
    this.controller = controller;
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    [this.status, this.headers] = [status, headers];
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    const { maxBytes, onBytes } = this.limits;
    this.size += chunk.length;
    onBytes?.(chunk.length);
    if (this.size <= maxBytes) this.chunks.push(chunk);
    else this.abort(new NetworkError(this.request.call, 'TOO_LARGE', `the answer is larger than ${maxBytes} bytes`));
  }

  onResponseEnd(): void {
    const { status, headers, chunks, size } = this;
    this.resolve({ status, headers, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size) });
  }

  onResponseError(_: unknown, error: Error & { readonly code?: string }): void {
    const { request: { call }, deadline, status, controller } = this;
    if (deadline.aborted) return this.reject(deadline.reason);
    if (status > 0) return this.reject(new NetworkError(call, 'CUT_OFF', `the answer was cut off: ${error.message}`));
    // A request that was sent might have succeeded.
    const code = error.code === CLOSED.code && controller ? 'ECONNRESET' : error.code ?? 'NETWORK';
    this.reject(new NetworkError(call, CODES[code] ?? code, error.message));
  }
}
