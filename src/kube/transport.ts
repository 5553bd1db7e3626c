import * as http from 'node:http';
import * as https from 'node:https';
import type { Connection, Credentials, TlsOptions } from './connection';
import type { Deadline } from './deadline';
import { type Call, NetworkError, toError } from './errors';

/**
 * Milliseconds. The API server closes connections after 90 s of inactivity; closing earlier avoids
 * writes to a closed one.
 */
export const IDLE_CONNECTION_TIMEOUT = 45_000;

/**
 * Milliseconds between TCP probes, which detect a dead peer and keep load balancers from dropping a
 * quiet stream.
 */
export const TCP_KEEP_ALIVE = 30_000;

/** Error of requests after the transport was closed. */
export const CLOSED = { code: 'CLOSED', message: 'the client is closed' };

/** An HTTP request, ready to send. */
export interface HttpRequest {
  readonly method: string;
  /** Path with query, relative to the path of the server's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the answer is an endless stream, which gets a connection of its own. */
  readonly stream: boolean;
  /**
   * Called when there is a connection, right before sending; if it throws, nothing is sent.
   * @default - none
   */
  readonly mayBeSent?: () => void;
  /** Names the request in errors. */
  readonly call: Call;
}

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Limits of an answer. */
export interface AnswerLimits {
  /** Largest accepted body, in bytes. */
  readonly maxBytes: number;
  /** Called with the number of bytes of each piece. @default - none */
  readonly onBytes?: (bytes: number) => void;
}

/** HTTP to one server: adds the credentials and reuses connections. */
export class Transport {
  private readonly client: Pick<typeof https, 'request' | 'Agent'>;
  private readonly target: Pick<https.RequestOptions, 'protocol' | 'hostname' | 'port'>;
  /** Path of the server's URL, without a trailing slash. */
  protected readonly basePath: string;
  protected closed = false;
  private agents?: { readonly tls: TlsOptions; readonly calls: http.Agent; readonly streams: http.Agent };

  /** @param maxSockets concurrent requests; more wait. Streams are not limited. */
  constructor(protected readonly connection: Connection, protected readonly maxSockets: number) {
    const { protocol, hostname, port, pathname } = new URL(connection.server);
    if (protocol !== 'https:' && protocol !== 'http:') {
      throw new Error(`the API server's URL must start with https:// or http://, not ${protocol}//`);
    }
    this.client = protocol === 'https:' ? https : http as unknown as typeof https;
    this.target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port };
    this.basePath = pathname.replace(/\/$/, '');
  }

  /**
   * Sends a request.
   *
   * @param deadline destroys the connection when it expires, also later, during the read of the
   * body, until it is cleared
   * @returns the response when its head has arrived; the caller must read or destroy its body
   * @throws {NetworkError} without a response
   * @throws the deadline's reason
   */
  async open(request: HttpRequest, deadline: Deadline): Promise<http.IncomingMessage> {
    return this.send(request, await this.credentials(request.call, deadline), deadline);
  }

  /**
   * Sends a request that is no stream, and reads the answer.
   *
   * @param deadline destroys the connection when it expires
   * @throws {NetworkError} without a whole answer
   * @throws the deadline's reason
   */
  async call(request: HttpRequest, deadline: Deadline, limits: AnswerLimits): Promise<Answer> {
    return this.exchange(request, await this.credentials(request.call, deadline), deadline, limits);
  }

  /** Closes all connections; active, waiting and later requests fail. */
  close(): void {
    this.closed = true;
    // The agent would open new connections for waiting requests, and a request without a connection
    // does not report that it was destroyed.
    const waiting = (this.agents?.calls.requests ?? {}) as { [name: string]: http.ClientRequest[] };
    for (const [name, requests] of Object.entries(waiting)) {
      delete waiting[name];
      requests.forEach((request) => request.destroy().emit('error', Object.assign(new Error(CLOSED.message), CLOSED)));
    }
    this.agents?.calls.destroy();
    this.agents?.streams.destroy();
    this.agents = undefined;
  }

  /** Sends a request with credentials, and reads the answer; see `call`. */
  protected async exchange(
    request: HttpRequest, credentials: Credentials, deadline: Deadline, { maxBytes, onBytes }: AnswerLimits,
  ): Promise<Answer> {
    const response = await this.send(request, credentials, deadline);
    const body = await readBytes(response, maxBytes, request.call, onBytes);
    return { status: response.statusCode!, headers: response.headers, body };
  }

  private credentials(call: Call, deadline: Deadline): Credentials | Promise<Credentials> {
    deadline.throwIfAborted();
    const given = credentialsOf(this.connection, call);
    if ('headers' in given) {
      deadline.throwIfAborted();
      return given;
    }
    return unlessAborted(given, deadline).then((credentials) => {
      deadline.throwIfAborted();
      return credentials;
    });
  }

  private send(request: HttpRequest, credentials: Credentials, deadline: Deadline): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (this.closed) throw new NetworkError(request.call, CLOSED.code, CLOSED.message);
      const outgoing = this.client.request({
        ...this.target,
        method: request.method,
        path: this.basePath + request.path,
        headers: { ...request.headers, ...credentials.headers },
        agent: credentials.agent ?? this.agentFor(credentials.tls, request.stream),
      });
      deadline.onAbort((reason) => outgoing.destroy(toError(reason)));
      outgoing.once('response', (response) => {
        // Until the caller reads it there is no other listener, and an unhandled error would end
        // the process.
        response.on('error', ignore);
        resolve(response);
      });
      // `on`, not `once`: an error can follow the response.
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        reject(deadline.aborted ? deadline.reason : new NetworkError(request.call, error.code ?? 'NETWORK', error.message));
      });
      if (request.mayBeSent) {
        const ask = () => {
          try {
            request.mayBeSent!();
          } catch (error) {
            reject(error);
            outgoing.destroy();
          }
        };
        // Not earlier: with all connections busy a request waits here, and opening a connection
        // takes time.
        outgoing.once('socket', (socket) => {
          ask();
          if (socket.connecting) socket.once(this.target.protocol === 'https:' ? 'secureConnect' : 'connect', ask);
        });
      }
      if (request.stream) {
        outgoing.once('socket', (socket) => socket.setKeepAlive(true, TCP_KEEP_ALIVE));
      }
      outgoing.end(request.body);
    });
  }

  private agentFor(tls: TlsOptions, stream: boolean): http.Agent {
    if (!this.agents || !sameTls(this.agents.tls, tls)) {
      // The previous agents are not destroyed, as requests might be under way. Their idle
      // connections time out.
      this.agents = {
        tls,
        calls: this.newAgent({
          ...tls, keepAlive: true, keepAliveMsecs: TCP_KEEP_ALIVE, maxSockets: this.maxSockets, timeout: IDLE_CONNECTION_TIMEOUT,
        }),
        streams: this.newAgent({ ...tls, keepAlive: false }),
      };
    }
    return stream ? this.agents.streams : this.agents.calls;
  }

  private newAgent(options: https.AgentOptions): http.Agent {
    const agent = new this.client.Agent(options);
    // An agent here has one server and one set of TLS settings. Node's own name includes all
    // certificates, and Node builds it again for each call.
    agent.getName = () => 'server';
    return agent;
  }
}

/**
 * Reads a whole body.
 *
 * @param maxBytes largest accepted body
 * @param onBytes called with the number of bytes of each piece
 * @throws {NetworkError} if the body ends too early or is too large
 */
export function readBytes(
  response: http.IncomingMessage, maxBytes: number, call: Call, onBytes?: (bytes: number) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const listeners = {
      data: (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        onBytes?.(chunk.length);
        if (size > maxBytes) {
          reject(new NetworkError(call, 'TOO_LARGE', `the answer is larger than ${maxBytes} bytes`));
          response.destroy();
        }
      },
      end: () => {
        resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
        // A reused TLS connection keeps its first request in memory, and so all listeners of its
        // answer.
        response.on('error', ignore);
        for (const [event, listener] of Object.entries(listeners)) response.off(event, listener);
      },
      error: (error: NodeJS.ErrnoException) => {
        reject(new NetworkError(call, 'CUT_OFF', `the answer was cut off: ${error.message}`));
      },
      // A destroyed response can close without an error. The condition avoids an error object, with
      // its stack, for each answer.
      close: () => {
        if (!response.readableEnded) reject(new NetworkError(call, 'CUT_OFF', 'the answer was cut off'));
      },
    };
    for (const [event, listener] of Object.entries(listeners)) response.on(event, listener);
  });
}

/**
 * Returns the current credentials, without a promise if the connection has them in memory.
 *
 * @throws {NetworkError} `CREDENTIALS`, if there are none; a promise rejects with it
 */
export function credentialsOf(connection: Connection, call: Call): Credentials | Promise<Credentials> {
  try {
    const given = connection.credentials();
    return 'headers' in given ? given : given.catch((error) => { throw noCredentials(call, error); });
  } catch (error) {
    throw noCredentials(call, error);
  }
}

/** Applies a deadline to credentials, as a credential program can hang. */
export function unlessAborted<T>(promise: Promise<T>, deadline: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.onAbort(reject);
    promise.then(resolve, reject);
  });
}

function noCredentials(call: Call, error: unknown): NetworkError {
  return new NetworkError(call, 'CREDENTIALS', `no credentials: ${toError(error).message}`);
}

function ignore(): void {}

/** Whether connections can be reused after a change of the settings. */
export function sameTls(a: TlsOptions, b: TlsOptions): boolean {
  return a === b || (
    a.servername === b.servername && a.rejectUnauthorized === b.rejectUnauthorized
    && sameBytes(a.ca, b.ca) && sameBytes(a.cert, b.cert) && sameBytes(a.key, b.key)
  );
}

function sameBytes(a: string | Buffer | undefined, b: string | Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.from(a).equals(Buffer.from(b)));
}
