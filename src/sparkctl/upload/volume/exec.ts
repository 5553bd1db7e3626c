import type { Readable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Connection } from '../../../kube/connection';
import { type Call, NetworkError, type Status } from '../../../kube/errors';
import type { Ref } from '../../../kube/objects';
import { pathOf } from '../../../kube/resource';
import { openWebSocket } from '../../../kube/web-socket';
import { PODS } from '../../../model/resources';

const [STDIN, STDOUT, STDERR, RESULT] = [0, 1, 2, 3] as const;

/** Maximum characters of a command's output that are kept. */
const MAX_OUTPUT = 64 * 1024;

/** Milliseconds between pings: proxies drop idle connections. */
const PING = 15_000;

/** Command to run in a container. */
export interface Execution {
  readonly container: string;
  readonly command: readonly string[];
  /**
   * Standard input, which is sent once the command has printed `begin`. It has no end: the command
   * must know its size.
   */
  readonly input: { readonly begin: string; open(): Readable; readonly onSent: (bytes: number) => void };
  readonly signal: AbortSignal;
}

/** Status that the kubelet sends at the end. */
interface ExecStatus extends Status {
  /** `Success` or `Failure`. */
  readonly status?: string;
}

/** Result of a command. */
export interface ExecutionResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Reason of the failure; undefined if the exit code was 0. */
  readonly failure?: string;
}

/**
 * Runs a command in a container, through the API server and the node's kubelet.
 *
 * @param pod running pod
 * @throws {ApiError} if the API server rejects the request
 * @throws {NetworkError} if the connection fails or breaks; then the outcome of the command is
 * unknown
 */
export async function execute(connection: Connection, pod: Ref, execution: Execution): Promise<ExecutionResult> {
  const call: Call = { verb: 'get', resource: 'pods/exec', ...pod };
  const { container, command, signal } = execution;
  const query = new URLSearchParams([
    ['container', container], ['stdin', 'true'], ['stdout', 'true'], ['stderr', 'true'],
    ...command.map((word) => ['command', word]),
  ]);
  const socket = await openWebSocket(connection, { path: `${pathOf(PODS, pod.namespace, pod.name, 'exec')}?${query}`, call, signal });
  return converse(socket, call, execution);
}

function converse(socket: WebSocket, call: Call, { input, signal }: Execution): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    const output = { [STDOUT]: '', [STDERR]: '' };
    let result: ExecStatus | undefined;
    let source: Readable | undefined;
    const finish = (act: () => void) => {
      clearInterval(pings);
      signal.removeEventListener('abort', abort);
      source?.destroy();
      socket.terminate();
      act();
    };
    const fail = (error: unknown) => finish(() => reject(error));
    const abort = () => fail(signal.reason);
    const pings = setInterval(() => socket.ping(), PING);
    signal.addEventListener('abort', abort, { once: true });
    socket.on('message', (message: Buffer) => {
      const [channel] = message;
      const text = message.subarray(1).toString();
      if (channel === STDOUT || channel === STDERR) output[channel] = (output[channel] + text).slice(0, MAX_OUTPUT);
      if (channel === RESULT) result = JSON.parse(text) as ExecStatus;
      if (!source && output[STDOUT].split('\n').includes(input.begin)) {
        source = input.open();
        send(source, socket, input.onSent).catch(fail);
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => fail(new NetworkError(call, error.code ?? 'NETWORK', error.message)));
    socket.once('close', () => {
      if (!result) return fail(new NetworkError(call, 'CUT_OFF', 'the connection to the pod was cut off'));
      const failure = result.status === 'Success' ? undefined : result.message ?? 'it failed';
      finish(() => resolve({ stdout: output[STDOUT], stderr: output[STDERR], failure }));
    });
    socket.resume();
  });
}

/** Sends the input, with backpressure. */
async function send(source: Readable, socket: WebSocket, onSent: (bytes: number) => void): Promise<void> {
  let sent = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    await new Promise<void>((resolve, reject) => socket.send(Buffer.concat([Buffer.of(STDIN), chunk]), (error) => (error
      ? reject(error)
      : resolve())));
    sent += chunk.length;
    onSent(sent);
  }
}
