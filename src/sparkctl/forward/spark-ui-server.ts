import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { driverProblem, isServiceWorker, passToDriver, sendEntrance, SERVICE_WORKER_REFUSAL } from '../../kube/driver-proxy';
import { isFromElsewhere, isServedHost, rejectionOfOrigin } from '../../kube/origin';
import { toError } from '../../kube/errors';
import { InboundConnections, UNLIMITED } from '../../kube/inbound-connections';

/** Host names of a server on a loopback address: none other than addresses and localhost. */
const NO_NAMES: ReadonlySet<string> = new Set();

/** Options and dependencies of serving a driver's Spark UI on this machine. */
export interface SparkUiServerOptions {
  /** Whether it listens on a loopback address. */
  readonly isLoopback: boolean;
  /** Name of the pod's role in messages. */
  readonly mainName: 'driver' | 'server';
  /** Connects to the driver; the signal aborts the attempt. */
  readonly dial: (signal: AbortSignal) => Promise<Duplex>;
  /** Called with the reason when the driver does not answer. */
  readonly onError: (error: Error) => void;
}

/**
 * Serves the Spark UI of a driver as HTTP, not as bytes. A driver serves code of the application's
 * author, and a browser sends it the cookies of all servers on this machine.
 *
 * @returns a function that handles a connection
 */
export function serveSparkUi({ isLoopback, mainName, dial, onError }: SparkUiServerOptions): (socket: Socket) => void {
  const server = createServer();
  new InboundConnections(UNLIMITED).serve(server, (request, response) => {
    const refusal = refusalOf(request, isLoopback);
    if (refusal) return send(response, ...refusal);
    if (isFromElsewhere(request.headers)) return sendEntrance(response);
    passToDriver(request, response, dial).catch((thrown: unknown) => {
      const error = toError(thrown);
      // The browser has disconnected, or sees that the answer was cut off.
      if (response.destroyed || response.headersSent) return void response.destroy();
      onError(error);
      send(response, ...driverProblem(error, mainName));
    });
  });
  return (socket) => server.emit('connection', socket);
}

function refusalOf(request: IncomingMessage, isLoopback: boolean): [status: number, text: string] | undefined {
  const { method = 'GET', headers, url } = request;
  if (isLoopback && !isServedHost(headers.host, NO_NAMES)) {
    return [421, 'this is not a name of this machine: open the address that sparkctl has printed'];
  }
  const reason = rejectionOfOrigin({ method, headers, isPage: url === '/' }, []);
  if (reason !== undefined) return [403, `the request is rejected, as ${reason}`];
  return isServiceWorker(request) ? [403, SERVICE_WORKER_REFUSAL] : undefined;
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', 'cache-control': 'no-store',
  }).end(`${text}\n`);
}
