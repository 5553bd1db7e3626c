import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Connection } from './connection';
import { type Call, NetworkError } from './errors';
import type { Ref } from './objects';
import { defineResource, pathOf } from './resource';
import { openWebSocket } from './web-socket';

const PODS = defineResource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });

/** Channels of the first and only port. */
const DATA = 0;
const ERROR = 1;

/** Bytes of the port number at the start of each channel. */
const PORT_BYTES = 2;

/** Code of a WebSocket that neither side closed. */
const CLOSED_ABNORMALLY = 1006;

/** Options of a port forward. */
export interface PortForwardOptions {
  /**
   * Ends the connection when aborted, also later; the stream is then destroyed with the signal's
   * reason.
   */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the connection. @default 30000 */
  readonly timeout?: number;
}

/**
 * Opens one TCP connection to a port of a pod, through the API server and the node's kubelet.
 *
 * The stream ends when the pod's side ends. This protocol cannot report to the pod that our side
 * has ended its writes; the pod's answer still arrives.
 *
 * @param ref the pod, which must be running
 * @returns when the API server has accepted the request. The pod might reject the connection later:
 * the stream is then destroyed with a `NetworkError` of the code `FORWARD`
 * @throws {ApiError} if the API server rejects the request, 404 if the pod does not exist
 * @throws {NetworkError} without a connection
 */
export async function forwardPort(
  connection: Connection, { namespace, name }: Ref, port: number, options: PortForwardOptions = {},
): Promise<Duplex> {
  const call: Call = { verb: 'get', resource: 'pods/portforward', namespace, name };
  // It stays paused until the caller reads; without a listener an error would be lost.
  const path = `${pathOf(PODS, namespace, name, 'portforward')}?ports=${port}`;
  const socket = await openWebSocket(connection, { ...options, path, call });
  return streamOf(socket, { call, port, signal: options.signal });
}

interface Forwarding {
  readonly call: Call;
  readonly port: number;
  readonly signal?: AbortSignal;
}

function streamOf(socket: WebSocket, { call, port, signal }: Forwarding): Duplex {
  const abort = () => stream.destroy(signal!.reason);
  const stream = new Duplex({
    // After the other side has ended, writes have no receiver.
    allowHalfOpen: false,
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, done) => socket.send(Buffer.concat([Buffer.of(DATA), chunk]), done),
    destroy: (error, done) => {
      signal?.removeEventListener('abort', abort);
      socket.terminate();
      done(error);
    },
  });
  signal?.addEventListener('abort', abort, { once: true });

  const payload = payloads();
  socket.on('message', (message: Buffer) => {
    const { channel, bytes } = payload(message);
    if (stream.destroyed || bytes.length === 0) return;
    if (channel === DATA && !stream.push(bytes)) socket.pause();
    if (channel === ERROR) stream.destroy(refused(call, port, bytes.toString()));
  });
  socket.on('error', (error: NodeJS.ErrnoException) => stream.destroy(new NetworkError(call, error.code ?? 'NETWORK', error.message)));
  socket.once('close', (code) => {
    if (stream.destroyed) return;
    if (code === CLOSED_ABNORMALLY) stream.destroy(new NetworkError(call, 'CUT_OFF', 'the connection to the pod was cut off'));
    else stream.push(null);
  });
  return stream;
}

/** Splits messages into channel and payload, and removes the port at the start of each channel. */
function payloads(): (message: Buffer) => { readonly channel: number | undefined; readonly bytes: Buffer } {
  const missing = new Map([[DATA, PORT_BYTES], [ERROR, PORT_BYTES]]);
  return (message) => {
    const [channel] = message;
    const left = missing.get(channel!) ?? 0;
    const bytes = message.subarray(1);
    missing.set(channel!, Math.max(0, left - bytes.length));
    return { channel, bytes: bytes.subarray(left) };
  };
}

/**
 * Explains a refusal before the node's own message, which names a sandbox and a network namespace
 * that users do not know.
 */
function refused(call: Call, port: number, words: string): NetworkError {
  const isClosed = words.includes('connection refused');
  const meaning = isClosed ? `nothing listens on port ${port} of the pod` : `port ${port} of the pod cannot be reached`;
  return new NetworkError(call, 'FORWARD', `${meaning}: ${words.trim()}`);
}
