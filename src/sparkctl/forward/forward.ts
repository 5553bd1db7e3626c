import { EventEmitter, once } from 'node:events';
import { isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { join } from './join';
import { listen, type Listener } from './listen';
import { serveSparkUi } from './spark-ui-server';
import { CommandError } from '../errors';
import type { SparkPod } from '../log/pods';
import { watchSubject, type WatchedSubject } from '../log/watch-subject';
import { titleOfSubject, type Subject } from '../log/subject';
import { sentenceOf } from '../log/messages';
import { problemText } from '../problem';
import { neverRan } from '../../explain/missing-driver';
import type { KubeClient } from '../../kube/client';
import type { Connection } from '../../kube/connection';
import { NetworkError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { forwardPort } from '../../kube/port-forward';

/** Ports and address of a forwarding. */
export interface ForwardRequest {
  /** Port of the pod. @default - that of the Spark UI */
  readonly port?: number;
  /**
   * Port of this machine; 0 is any free one.
   *
   * @default - that of the pod, or a free one if it is taken
   */
  readonly localPort?: number;
  readonly address: string;
  /** Option that sets `localPort`, for messages. */
  readonly portOption: string;
}

/** Dependencies of forwarding. */
export interface ForwardDependencies {
  readonly client: KubeClient;
  readonly connection: Connection;
  /** Prints a message that is not the result. */
  readonly note: (message: string) => void;
  /** Prints the result. */
  readonly print: (text: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const LOOPBACK = /^(127\.|::1$|localhost$)/;

/**
 * Forwards a local port to the current driver until the application has ended. While no driver
 * runs, connections wait for the next one.
 *
 * @throws {CommandError} if the application has failed, had ended before or was deleted, the port
 * is not available, or the connection to the API server is lost
 * @throws {Error} once the signal is aborted
 */
export async function forwardUi(subject: Subject, request: ForwardRequest, dependencies: ForwardDependencies): Promise<void> {
  const { connection, note, now, signal } = dependencies;
  const { mainName, ref: { namespace } } = subject;
  const title = titleOfSubject(subject);
  const changes = new EventEmitter().setMaxListeners(0);
  let lost: Error | undefined;
  const onLost = (error: Error) => {
    lost = error;
    changes.emit('change');
  };
  const watched = await watchSubject(dependencies.client, subject, () => changes.emit('change'), signal, onLost);
  const changed = (until: AbortSignal) => once(changes, 'change', { signal: until });
  const connectionErrors = new ConnectionErrors(note);
  let listener: Listener | undefined;
  let reported: string | undefined;
  let noted: string | undefined;

  async function opened(port: number, wanted: AbortSignal): Promise<Duplex> {
    let pod = runningPod(watched, subject);
    for (; !pod; pod = runningPod(watched, subject)) await changed(wanted);
    const stream = await forwardPort(connection, { namespace, name: pod.metadata.name }, port, { signal: wanted });
    stream.once('end', () => connectionErrors.reset());
    return stream;
  }

  async function begin(object: KubeObject): Promise<Listener> {
    const uiPort = subject.uiPort(object);
    const { address, localPort, portOption, port = uiPort } = request;
    const isLoopback = LOOPBACK.test(address);
    const isUi = port === uiPort;
    const [dial, onError] = [(wanted: AbortSignal) => opened(port, wanted), (error: Error) => connectionErrors.report(error, isUi)];
    const take = isUi ? serveSparkUi({ isLoopback, mainName, dial, onError }) : (socket: Socket) => void join(socket, dial, onError);
    const begun = await listen({ address, port: localPort ?? port, isAnyPort: localPort === undefined, portOption }, take);
    const place = `${isIPv6(address) ? `[${address}]` : address}:${begun.port}`;
    dependencies.print(`${isUi ? `http://${place}` : place}\n`);
    note(`forwarding to port ${port} of the ${mainName} of ${title}; Ctrl-C ends it`);
    if (!isLoopback) note(`every client that can reach ${address} can use it; the Spark UI has no password`);
    return begun;
  }

  try {
    for (;;) {
      if (lost) {
        throw new CommandError(`the connection to the API server is lost: ${problemText(lost) ?? lost.message}`);
      }
      const object = watched.object();
      if (!object) throw new CommandError(`${title} has been deleted with its ${mainName}`);
      const pod = runningPod(watched, subject);
      const state = subject.currentState(object, pod, now());
      if (state.outcome && !listener) {
        const unstarted = neverRan(title, state.progress, state.attempt, mainName);
        throw new CommandError(unstarted !== undefined ? `${unstarted}, so there is no Spark UI. ${sentenceOf(state)}` : (
          `the ${mainName} of ${title} does not run any more. ${state.sentence}. `
            + 'A Spark history server shows its Spark UI, if the application writes an event log (SparkHistoryServer)'
        ));
      }
      if (state.outcome === 'failed') throw new CommandError(sentenceOf(state));
      if (state.outcome) {
        note(sentenceOf(state));
        return;
      }
      if (pod && !listener) {
        listener = await begin(object);
        reported = noted = undefined;
        continue;
      }
      if (pod && reported !== undefined) note(`the ${mainName} of ${title} is running`);
      const key = `${state.key}\n${hasMainPod(watched, subject)}`;
      // If the driver has ended, the status follows soon.
      const isWaiting = !pod && (!state.isRunning || !hasMainPod(watched, subject));
      const isNews = isWaiting && key !== reported;
      reported = pod ? undefined : key;
      // A change during the explanation must not be missed.
      const change = changed(signal);
      change.catch(() => {});
      if (isNews) {
        const text = `waiting for the ${mainName}: ${sentenceOf(await subject.explained(state, object, dependencies.client, now(), signal))}`;
        if (text !== noted) note(text);
        noted = text;
      }
      await change;
    }
  } finally {
    await listener?.close();
    await watched.close();
  }
}

function runningPod(watched: WatchedSubject, { mainRole, isCurrent }: Subject): SparkPod | undefined {
  const object = watched.object();
  return object && watched.pods().find((pod) => pod.role === mainRole && pod.isRunning
    && pod.metadata.deletionTimestamp === undefined && isCurrent(pod, object));
}

function hasMainPod(watched: WatchedSubject, { mainRole, isCurrent }: Subject): boolean {
  const object = watched.object();
  return object !== undefined && watched.pods().some((pod) => pod.role === mainRole && isCurrent(pod, object));
}

/**
 * Reporter of connection errors. It reports an error once until another one occurs: a browser makes
 * many connections.
 */
class ConnectionErrors {
  private last?: string;

  constructor(private readonly print: (message: string) => void) {}

  /** @param isUi whether the connection is for the Spark UI */
  report(error: Error, isUi: boolean): void {
    const { message } = error;
    if (message === this.last) return;
    this.last = message;
    const advice = isUi && error instanceof NetworkError && error.code === 'FORWARD'
      ? '; the Spark UI starts some seconds after the driver, unless spark.ui.enabled is false'
      : '';
    this.print(`${message}${advice}`);
  }

  reset(): void {
    this.last = undefined;
  }
}
