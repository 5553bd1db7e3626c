import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Connection } from './connection';
import { type Call, NetworkError } from './errors';
import type { Ref } from './objects';
import { defineResource, pathOf } from './resource';
import { openWebSocket } from './web-socket';

const PODS = defineResource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });

/** The channels of the first port, and there is only one. */
const DATA = 0;
const ERROR = 1;

/** Each channel begins with the port, in so many bytes. */
const PORT_BYTES = 2;

/** The code of a WebSocket that was not closed by anybody. */
const CLOSED_ABNORMALLY = 1006;

/** How a port is forwarded. */
export interface PortForwardOptions {
  /** Ends the connection when aborted, also later; the stream is then destroyed with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the connection stands. @default 30000 */
  readonly timeout?: number;
}

/**
 * Opens one TCP connection to a port of a pod, through the API server and the node's kubelet.
 *
 * The stream ends when the other side does. That our side has written all it has to say cannot be told the pod, in this protocol: what the pod answers still comes.
 *
 * @param ref the pod, which must be running
 * @returns once the API server has let us in. Whether the pod takes the connection turns out later: if not, the stream is destroyed with a `NetworkError` of the code `FORWARD`
 * @throws {ApiError} if the API server refuses, 404 if there is no such pod
 * @throws {NetworkError} if there is no connection
 */
export async function forwardPort(connection: Connection, { namespace, name }: Ref, port: number, options: PortForwardOptions = {}): Promise<Duplex> {
  const call: Call = { verb: 'get', resource: 'pods/portforward', namespace, name };
  // It waits until somebody reads, and would hear of an error.
  const socket = await openWebSocket(connection, { ...options, path: `${pathOf(PODS, namespace, name, 'portforward')}?ports=${port}`, call });
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
    // What has no other side any more has nothing to write either.
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

/** Takes messages apart, and the port from the beginning of each channel. */
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

/** The node's words name a sandbox and a namespace of the network that nobody knows; what they mean comes first. */
function refused(call: Call, port: number, words: string): NetworkError {
  const meaning = words.includes('connection refused') ? `nothing listens on port ${port} of the pod` : `port ${port} of the pod cannot be reached`;
  return new NetworkError(call, 'FORWARD', `${meaning}: ${words.trim()}`);
}
