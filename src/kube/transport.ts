import * as http from 'node:http';
import * as https from 'node:https';
import type { Connection, Credentials, TlsOptions } from './connection';
import type { Deadline } from './deadline';
import { type Call, NetworkError, toError } from './errors';

/** The API server closes connections that have been idle for 90 s; leaving earlier avoids writing into a closed one. */
const IDLE_CONNECTION_TIMEOUT = 45_000;

/** Probes that notice a dead peer, and that keep load balancers from dropping a quiet stream, in milliseconds. */
export const TCP_KEEP_ALIVE = 30_000;

/** What is asked of a transport that has been closed ends with this. */
const CLOSED = { code: 'CLOSED', message: 'the client is closed' };

/** One HTTP request, ready to be sent. */
export interface HttpRequest {
  readonly method: string;
  /** Path with query, below the path of the server's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the answer is a stream without end: it gets a connection of its own. */
  readonly stream: boolean;
  /** Asked when there is a connection and the request is about to be sent; if it throws, nothing is sent. @default - it may */
  readonly mayBeSent?: () => void;
  /** Names the request in errors. */
  readonly call: Call;
}

/**
 * HTTP to one server: adds the credentials and keeps connections open.
 */
export class Transport {
  private readonly client: Pick<typeof https, 'request' | 'Agent'>;
  private readonly target: Pick<https.RequestOptions, 'protocol' | 'hostname' | 'port'>;
  /** Path of the server's URL, without a slash at its end. */
  private readonly basePath: string;
  private closed = false;
  private agents?: { readonly tls: TlsOptions; readonly calls: http.Agent; readonly streams: http.Agent };

  /** @param maxSockets how many requests may be under way at once; more wait. Streams do not count. */
  constructor(private readonly connection: Connection, private readonly maxSockets: number) {
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
   * @param deadline destroys the connection when it comes, also later, while the body is read, unless it is cleared before
   * @returns the response once its head is here; its body must be read or destroyed
   * @throws {NetworkError} if there is none, or the deadline's reason
   */
  async open(request: HttpRequest, deadline: Deadline): Promise<http.IncomingMessage> {
    deadline.throwIfAborted();
    const given = credentialsOf(this.connection, request.call);
    const credentials = 'headers' in given ? given : await unlessAborted(given, deadline);
    deadline.throwIfAborted();
    return this.send(request, credentials, deadline);
  }

  /** Closes all connections; what is under way fails, and so does what waits or comes later. */
  close(): void {
    this.closed = true;
    // The agent would make new connections for those that wait, and without one a request does not tell that it has been destroyed.
    const waiting = (this.agents?.calls.requests ?? {}) as { [name: string]: http.ClientRequest[] };
    for (const [name, requests] of Object.entries(waiting)) {
      delete waiting[name];
      requests.forEach((request) => request.destroy().emit('error', Object.assign(new Error(CLOSED.message), CLOSED)));
    }
    this.agents?.calls.destroy();
    this.agents?.streams.destroy();
    this.agents = undefined;
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
        // Until the caller reads it nobody else listens, and an error unheard would end the process.
        response.on('error', ignore);
        resolve(response);
      });
      // Not once: an error may follow the response.
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
        // Not before: with all connections busy a request waits here for one, and a new one takes its time.
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
      // The former agents are not destroyed: requests may be under way. Their idle connections time out.
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
    // An agent here has one server and one set of TLS settings. Node's own name for them has all certificates in it, and is made anew for each call.
    agent.getName = () => 'server';
    return agent;
  }
}

/**
 * Reads a whole body.
 *
 * @param maxBytes more than this fails
 * @param onBytes called with the number of bytes when something arrives
 * @throws {NetworkError} if the body ends too early or is too large
 */
export function readBytes(response: http.IncomingMessage, maxBytes: number, call: Call, onBytes?: (bytes: number) => void): Promise<Buffer> {
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
        // A TLS connection that is kept open keeps its first request, and with it all that listens to the answer.
        response.on('error', ignore);
        for (const [event, listener] of Object.entries(listeners)) response.off(event, listener);
      },
      error: (error: NodeJS.ErrnoException) => {
        reject(new NetworkError(call, 'CUT_OFF', `the answer was cut off: ${error.message}`));
      },
      // A destroyed response may close without an error. After each answer an error, with its stack, would be made for nothing.
      close: () => {
        if (!response.readableEnded) reject(new NetworkError(call, 'CUT_OFF', 'the answer was cut off'));
      },
    };
    for (const [event, listener] of Object.entries(listeners)) response.on(event, listener);
  });
}

/**
 * The credentials to use now, without a promise if the connection has them at hand.
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

/** Credentials may come from a program that hangs: a deadline must hold for that too. */
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

function sameTls(a: TlsOptions, b: TlsOptions): boolean {
  return a === b || (
    a.servername === b.servername && a.rejectUnauthorized === b.rejectUnauthorized
    && sameBytes(a.ca, b.ca) && sameBytes(a.cert, b.cert) && sameBytes(a.key, b.key)
  );
}

function sameBytes(a: string | Buffer | undefined, b: string | Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.from(a).equals(Buffer.from(b)));
}
