import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { systemClock } from './clock';
import type { Connection } from './connection';
import { Deadline } from './deadline';
import { type Call, NetworkError } from './errors';
import { apiError } from './requester';
import { credentialsOf, readBytes, TCP_KEEP_ALIVE, unlessAborted } from './transport';

/** The kubelet's protocol: the first byte of each message says which channel it is of. */
const PROTOCOL = 'v4.channel.k8s.io';

/** Milliseconds until a connection stands. */
const TIMEOUT = 30_000;

/** Bytes of a refusal, and of a message. Those with data have 32 KiB. */
const MAX_MESSAGE = 1024 * 1024;

/** What is to be opened. */
export interface WebSocketRequest {
  /** Escaped path, with query. */
  readonly path: string;
  /** Names it in errors. */
  readonly call: Call;
  /** Ends the opening when aborted; what is open is the caller's. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the connection stands. @default 30000 */
  readonly timeout?: number;
}

/**
 * Opens a WebSocket to a node's kubelet, through the API server.
 *
 * @returns it, paused: what comes in the same packet as the answer must not be lost before somebody listens
 * @throws {ApiError} if the API server refuses
 * @throws {NetworkError} if there is no connection
 */
export async function openWebSocket(connection: Connection, { path, call, signal, timeout = TIMEOUT }: WebSocketRequest): Promise<WebSocket> {
  const deadline = new Deadline(systemClock, signal);
  try {
    deadline.throwIfAborted();
    deadline.set(timeout, () => new NetworkError(call, 'TIMEOUT', `no connection within ${timeout} ms`));
    const given = credentialsOf(connection, call);
    const { headers, tls, agent } = 'headers' in given ? given : await unlessAborted(given, deadline);
    const options = { ...tls, headers, agent, perMessageDeflate: false, maxPayload: MAX_MESSAGE };
    return await opened(new WebSocket(connection.server.replace(/\/$/, '') + path, [PROTOCOL], options), call, deadline);
  } finally {
    deadline.clear();
  }
}

function opened(socket: WebSocket, call: Call, deadline: Deadline): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    deadline.onAbort((reason) => {
      reject(reason);
      socket.terminate();
    });
    socket.once('upgrade', (response: IncomingMessage) => response.socket.setKeepAlive(true, TCP_KEEP_ALIVE));
    socket.once('unexpected-response', (request, response: IncomingMessage) => {
      readBytes(response, MAX_MESSAGE, call).then((body) => reject(apiError(call, response.statusCode!, response.headers, body)), reject).finally(() => request.destroy());
    });
    socket.on('error', (error: NodeJS.ErrnoException) => reject(new NetworkError(call, error.code ?? 'NETWORK', error.message)));
    socket.once('open', () => {
      socket.pause();
      resolve(socket);
    });
  });
}
