import { EventEmitter, once } from 'node:events';
import { isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { join } from './join';
import { listen, type Listener } from './listen';
import { serveSparkUi } from './spark-ui-server';
import { CommandError } from '../errors';
import type { SparkPod } from '../log/pods';
import { openScene, type Scene } from '../log/scene';
import type { Subject } from '../log/subject';
import { sentenceOf } from '../log/words';
import type { KubeClient } from '../../kube/client';
import type { Connection } from '../../kube/connection';
import { NetworkError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { forwardPort } from '../../kube/port-forward';

/** From where to where. */
export interface ForwardRequest {
  /** Of the pod. @default - that of the Spark UI */
  readonly port?: number;
  /** Of this machine; 0 is any. @default - that of the pod, or another one if it is taken */
  readonly localPort?: number;
  readonly address: string;
  /** The option that `localPort` comes from, for messages. */
  readonly portOption: string;
}

/** Dependencies of forwarding. */
export interface ForwardDependencies {
  readonly client: KubeClient;
  readonly connection: Connection;
  /** Prints something that is not the result. */
  readonly note: (message: string) => void;
  /** Prints the result. */
  readonly print: (text: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const LOOPBACK = /^(127\.|::1$|localhost$)/;

/**
 * Forwards a local port to the driver, whichever runs, until the application has ended. Connections that are made while none runs wait for the next.
 *
 * @throws {CommandError} if it has ended already or was deleted, or the port cannot be had
 * @throws {Error} once the signal is aborted
 */
export async function forwardUi(subject: Subject, request: ForwardRequest, dependencies: ForwardDependencies): Promise<void> {
  const { connection, note, now, signal } = dependencies;
  const { mainName, ref: { name, namespace } } = subject;
  const changes = new EventEmitter().setMaxListeners(0);
  const scene = await openScene(dependencies.client, subject, () => changes.emit('change'), signal);
  const changed = (until: AbortSignal) => once(changes, 'change', { signal: until });
  const problems = new Problems(note);
  let listener: Listener | undefined;
  let told: string | undefined;

  async function opened(port: number, wanted: AbortSignal): Promise<Duplex> {
    let pod = runningPod(scene, subject);
    for (; !pod; pod = runningPod(scene, subject)) await changed(wanted);
    const stream = await forwardPort(connection, { namespace, name: pod.metadata.name }, port, { signal: wanted });
    stream.once('end', () => problems.isOver());
    return stream;
  }

  async function begin(object: KubeObject): Promise<Listener> {
    const uiPort = subject.uiPort(object);
    const { address, localPort, portOption, port = uiPort } = request;
    const isLoopback = LOOPBACK.test(address);
    const isUi = port === uiPort;
    const [dial, onError] = [(wanted: AbortSignal) => opened(port, wanted), (error: Error) => problems.tell(error)];
    const take = isUi ? serveSparkUi({ isLoopback, dial, onError }) : (socket: Socket) => void join(socket, dial, onError);
    const begun = await listen({ address, port: localPort ?? port, isAnyPort: localPort === undefined, portOption }, take);
    const place = `${isIPv6(address) ? `[${address}]` : address}:${begun.port}`;
    dependencies.print(`${isUi ? `http://${place}` : place}\n`);
    note(`forwards to port ${port} of the ${mainName} of ${name}; Ctrl-C ends it`);
    if (!isLoopback) note(`everybody who can reach ${address} can use it; the Spark UI asks for no password`);
    return begun;
  }

  try {
    for (;;) {
      const object = scene.object();
      if (!object) throw new CommandError(`${name} has been deleted, and its ${mainName} with it`);
      const pod = runningPod(scene, subject);
      const standing = subject.standing(object, pod, now());
      if (standing.outcome && !listener) throw new CommandError(`there is no ${mainName} of ${name} any more: ${sentenceOf(standing)}; what its Spark UI has shown is in a Spark history server, if the application writes an event log (SparkHistoryServer)`);
      if (standing.outcome) {
        note(sentenceOf(standing));
        return;
      }
      if (pod && !listener) {
        listener = await begin(object);
        told = undefined;
        continue;
      }
      if (pod && told !== undefined) note(`the ${mainName} of ${name} runs`);
      if (!pod && !standing.isRunning && standing.key !== told) note(`waiting for the ${mainName}: ${sentenceOf(standing)}`);
      told = pod ? undefined : standing.key;
      await changed(signal);
    }
  } finally {
    await listener?.close();
    await scene.close();
  }
}

function runningPod(scene: Scene, { mainRole, isCurrent }: Subject): SparkPod | undefined {
  const object = scene.object();
  return object && scene.pods().find((pod) => pod.role === mainRole && pod.isRunning && pod.metadata.deletionTimestamp === undefined && isCurrent(pod, object));
}

/** Tells what is wrong with connections, once until it is something else: a browser makes many of them. */
class Problems {
  private last?: string;

  constructor(private readonly report: (message: string) => void) {}

  tell(error: Error): void {
    const { message } = error;
    if (message === this.last) return;
    this.last = message;
    const advice = error instanceof NetworkError && error.code === 'FORWARD' ? '; the Spark UI begins some seconds after the driver, unless spark.ui.enabled is false' : '';
    this.report(`${message}${advice}`);
  }

  isOver(): void {
    this.last = undefined;
  }
}
