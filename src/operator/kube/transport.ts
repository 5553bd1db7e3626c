import * as http from 'node:http';
import * as https from 'node:https';
import type { Connection, Credentials, TlsOptions } from './connection';
import { type Call, NetworkError, toError } from './errors';

/** The API server closes connections that have been idle for 90 s; leaving earlier avoids writing into a closed one. */
const IDLE_CONNECTION_TIMEOUT = 45_000;

/** Probes that notice a dead peer, and that keep load balancers from dropping a quiet watch. */
const TCP_KEEP_ALIVE = 30_000;

/** One HTTP request, ready to be sent. */
export interface HttpRequest {
  readonly method: string;
  /** Path with query, below the path of the server's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Whether the answer is a stream without end: it gets a connection of its own. */
  readonly stream: boolean;
  /** Names the request in errors. */
  readonly call: Call;
}

/**
 * HTTP to one server: adds the credentials and keeps connections open.
 */
export class Transport {
  private readonly server: URL;
  private agents?: { readonly tls: TlsOptions; readonly calls: http.Agent; readonly streams: http.Agent };

  /** @param maxSockets how many requests may be under way at once; more wait. Streams do not count. */
  constructor(private readonly connection: Connection, private readonly maxSockets: number) {
    this.server = new URL(connection.server);
    if (this.server.protocol !== 'https:' && this.server.protocol !== 'http:') {
      throw new Error(`the API server's URL must start with https:// or http://, not ${this.server.protocol}//`);
    }
  }

  /**
   * Sends a request.
   *
   * @param signal destroys the connection when aborted, also later, while the body is read
   * @returns the response once its head is here; its body must be read or destroyed
   * @throws {NetworkError} if there is none, or the signal's reason
   */
  async open(request: HttpRequest, signal: AbortSignal): Promise<http.IncomingMessage> {
    const credentials = await unlessAborted(this.credentials(request.call), signal);
    const { protocol, hostname, port, pathname } = this.server;
    return new Promise((resolve, reject) => {
      const outgoing = (protocol === 'https:' ? https : http).request({
        protocol,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method: request.method,
        path: pathname.replace(/\/$/, '') + request.path,
        headers: { ...request.headers, ...credentials.headers },
        agent: credentials.agent ?? this.agentFor(credentials.tls, request.stream),
      });
      const abort = () => outgoing.destroy(toError(signal.reason));
      signal.addEventListener('abort', abort, { once: true });
      outgoing.once('close', () => signal.removeEventListener('abort', abort));
      outgoing.once('response', (response) => {
        // Until the caller reads it nobody else listens, and an error unheard would end the process.
        response.on('error', () => {});
        resolve(response);
      });
      // Not once: an error may follow the response.
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        reject(signal.aborted ? signal.reason : new NetworkError(request.call, error.code ?? 'NETWORK', error.message));
      });
      if (request.stream) {
        outgoing.once('socket', (socket) => socket.setKeepAlive(true, TCP_KEEP_ALIVE));
      }
      outgoing.end(request.body);
    });
  }

  /** Closes all connections; what is under way fails. */
  close(): void {
    this.agents?.calls.destroy();
    this.agents?.streams.destroy();
    this.agents = undefined;
  }

  private async credentials(call: Call): Promise<Credentials> {
    try {
      return await this.connection.credentials();
    } catch (error) {
      throw new NetworkError(call, 'CREDENTIALS', `no credentials: ${toError(error).message}`);
    }
  }

  private agentFor(tls: TlsOptions, stream: boolean): http.Agent {
    if (!this.agents || !sameTls(this.agents.tls, tls)) {
      // The former agents are not destroyed: requests may be under way. Their idle connections time out.
      const { Agent } = this.server.protocol === 'https:' ? https : http;
      this.agents = {
        tls,
        calls: new Agent({
          ...tls, keepAlive: true, keepAliveMsecs: TCP_KEEP_ALIVE, maxSockets: this.maxSockets, timeout: IDLE_CONNECTION_TIMEOUT,
        }),
        streams: new Agent({ ...tls, keepAlive: false }),
      };
    }
    return stream ? this.agents.streams : this.agents.calls;
  }
}

/**
 * Reads a whole body.
 *
 * @param maxBytes more than this fails
 * @throws {NetworkError} if the body ends too early or is too large
 */
export function readBody(response: http.IncomingMessage, maxBytes: number, call: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) {
        reject(new NetworkError(call, 'TOO_LARGE', `the answer is larger than ${maxBytes} bytes`));
        response.destroy();
      }
    });
    response.once('end', () => resolve(Buffer.concat(chunks, size).toString('utf8')));
    response.on('error', (error: NodeJS.ErrnoException) => {
      reject(new NetworkError(call, 'CUT_OFF', `the answer was cut off: ${error.message}`));
    });
    // A destroyed response may close without an error; after 'end' this changes nothing.
    response.once('close', () => reject(new NetworkError(call, 'CUT_OFF', 'the answer was cut off')));
  });
}

/** Credentials may come from a program that hangs: a deadline must hold for that too. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort: () => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

function sameTls(a: TlsOptions, b: TlsOptions): boolean {
  return a === b || (
    a.servername === b.servername && a.rejectUnauthorized === b.rejectUnauthorized
    && sameBytes(a.ca, b.ca) && sameBytes(a.cert, b.cert) && sameBytes(a.key, b.key)
  );
}

function sameBytes(a: string | Buffer | undefined, b: string | Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.from(a).equals(Buffer.from(b)));
}
