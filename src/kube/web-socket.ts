import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { systemClock } from './clock';
import type { Connection } from './connection';
import { Deadline } from './deadline';
import { type Call, NetworkError } from './errors';
import { apiError } from './requester';
import { credentialsOf, readBytes, TCP_KEEP_ALIVE, unlessAborted } from './transport';

/** The kubelet's protocol: the first byte of each message is its channel. */
const PROTOCOL = 'v4.channel.k8s.io';

/** Default milliseconds to wait for a connection. */
const TIMEOUT = 30_000;

/** Maximum bytes of an error answer and of a message. Data messages have 32 KiB. */
const MAX_MESSAGE = 1024 * 1024;

/** A WebSocket to open. */
export interface WebSocketRequest {
  /** Escaped path, with query. */
  readonly path: string;
  /** Names the call in errors. */
  readonly call: Call;
  /** Aborts the opening; the caller closes an open socket. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the connection. @default 30000 */
  readonly timeout?: number;
}

/**
 * Opens a WebSocket to a node's kubelet, through the API server.
 *
 * @returns the socket, paused: data in the same packet as the answer must not be lost before a
 * listener is added
 * @throws {ApiError} if the API server rejects the request
 * @throws {NetworkError} without a connection
 */
export async function openWebSocket(
  connection: Connection, { path, call, signal, timeout = TIMEOUT }: WebSocketRequest,
): Promise<WebSocket> {
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
      readBytes(response, MAX_MESSAGE, call)
        .then((body) => reject(apiError(call, response.statusCode!, response.headers, body)), reject)
        .finally(() => request.destroy());
    });
    socket.on('error', (error: NodeJS.ErrnoException) => reject(new NetworkError(call, error.code ?? 'NETWORK', error.message)));
    socket.once('open', () => {
      socket.pause();
      resolve(socket);
    });
  });
}
