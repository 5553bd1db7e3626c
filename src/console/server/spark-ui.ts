import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { driverProblem, isServiceWorker, passToDriver, sendEntrance, SERVICE_WORKER_REFUSAL } from '../../kube/driver-proxy';
import { HttpError } from './http';
import { isLoopbackHost, rejectionOfOrigin } from '../../kube/origin';
import { cookieIn, isSame, newSecret } from './secrets';
import { toError } from '../../kube/errors';
import { InboundConnections, UNLIMITED } from '../../kube/inbound-connections';

/** Default port of Spark's web UI, without `spark.ui.port`. */
export const SPARK_UI_PORT = 4040;

/** Milliseconds without a request after which the proxy to a driver is closed. */
const IDLE = 30 * 60_000;

/** Address of a driver's web UI. */
export interface DriverUi {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** Path prefix of the UI's links, which an Ingress removes from requests. @default - none */
  readonly basePath?: string;
}

/** Connects to a port of a pod by TCP; the signal aborts the attempt. */
export type Dial = (ui: DriverUi, signal: AbortSignal) => Promise<Duplex>;

/** Range of ports to listen on, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Proxies to the web UIs of drivers, each on its own port of the loopback address.
 *
 * A driver serves untrusted code. Its own origin makes the browser isolate it from the console and
 * from other drivers.
 */
export class SparkUis {
  private readonly open = new Map<string, Promise<OpenUi>>();

  /** @param ports allowed ports; any free port by default */
  constructor(private readonly dial: Dial, private readonly now: () => number, private readonly ports?: PortRange) {}

  /**
   * Opens a proxy to a driver's web UI.
   *
   * @param hostname loopback name by which the user opened the console: for another name the
   * browser would not send the cookie
   * @returns its URL, with a token that works once
   * @throws {HttpError} 409 if all allowed ports are in use
   */
  async urlOf(ui: DriverUi, hostname = '127.0.0.1'): Promise<string> {
    const key = `${ui.namespace}/${ui.pod}/${ui.port}`;
    let opening = this.open.get(key);
    if (!opening) {
      opening = OpenUi.start(ui, this.dial, this.now, this.ports, () => this.open.delete(key));
      this.open.set(key, opening);
      opening.catch(() => this.open.delete(key));
    }
    return (await opening).newUrl(hostname);
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.open.values());
    await Promise.all(opened.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
  }
}

class OpenUi {
  static async start(ui: DriverUi, dial: Dial, now: () => number, ports: PortRange | undefined, onClose: () => void): Promise<OpenUi> {
    const { first, last } = ports ?? { first: 0, last: 0 };
    for (let port = first; port <= last; port++) {
      const opened = new OpenUi(ui, dial, now, onClose);
      if (await opened.listen(port)) return opened;
    }
    const given = first === last
      ? `port ${first}, which --spark-ui-port names, is`
      : `all ports from ${first} to ${last}, which --spark-ui-port names, are`;
    throw new HttpError(
      409,
      `${given} taken; a port that serves another driver is released ${IDLE / 60_000} minutes after its last use; or name more ports`,
    );
  }

  private readonly server: Server = createServer();
  private readonly session = newSecret();
  private readonly tickets = new Set<string>();
  private lastUse: number;
  private readonly idleCheck: NodeJS.Timeout;

  private constructor(
    private readonly ui: DriverUi, private readonly dial: Dial, private readonly now: () => number,
    private readonly onClose: () => void,
  ) {
    this.lastUse = now();
    new InboundConnections(UNLIMITED).serve(this.server, (request, response) => this.answer(request, response));
    this.idleCheck = setInterval(() => {
      if (this.now() - this.lastUse > IDLE) void this.close();
    }, IDLE / 10).unref();
  }

  newUrl(hostname: string): string {
    const ticket = newSecret();
    this.tickets.add(ticket);
    return `http://${hostname}:${this.port}/?ticket=${ticket}`;
  }

  /** Resolves to `false` if the port is in use. */
  private async listen(port: number): Promise<boolean> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.server.once('error', reject);
        this.server.listen({ host: '127.0.0.1', port }, resolve);
      });
      return true;
    } catch (error) {
      clearInterval(this.idleCheck);
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.idleCheck);
    this.onClose();
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Browsers share cookies among ports, so each port has its own cookie name. */
  private get cookie(): string {
    return `spark-ui-${this.port}`;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { port } = this;
    const [path, query = ''] = (request.url ?? '/').split('?', 2) as [string, string?];
    const refuse = (status: number, text: string) => response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff',
    }).end(`${text}\n`);
    if (!isLoopbackHost(request.headers.host, port)) return void refuse(421, 'this server does not have that name');
    const ticket = new URLSearchParams(query).get('ticket');
    // The console has another origin: its button can open only the entrance.
    const isEntrance = request.method === 'GET' && path === '/' && ticket !== null;
    const reason = rejectionOfOrigin({ method: request.method ?? 'GET', headers: request.headers, isPage: isEntrance }, [
      `http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`,
    ]);
    if (reason !== undefined) return void refuse(403, reason);
    if (isEntrance && this.tickets.delete(ticket)) {
      return sendEntrance(response, {
        'set-cookie': `${this.cookie}=${this.session}; HttpOnly; SameSite=Strict; Path=/`,
        // Another driver might have left data when it used this port.
        'clear-site-data': '"cache", "storage"',
      });
    }
    if (isServiceWorker(request)) return void refuse(403, SERVICE_WORKER_REFUSAL);
    if (!isSame(cookieIn(request.headers.cookie, this.cookie), this.session)) return void refuse(401, 'open the Spark UI from the console');
    this.lastUse = this.now();
    passToDriver(request, response, (signal) => this.dial(this.ui, signal), this.ui.basePath).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(...driverProblem(toError(error)));
    });
  }
}

/**
 * Returns the port of an application's web UI, by its Spark properties; undefined if it is
 * disabled.
 */
export function portOf(sparkConf: Readonly<Record<string, string>> | undefined): number | undefined {
  if (sparkConf?.['spark.ui.enabled']?.trim().toLowerCase() === 'false') return undefined;
  const port = Number(sparkConf?.['spark.ui.port'] ?? SPARK_UI_PORT);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : SPARK_UI_PORT;
}

/** Returns the path of the UI's address outside the cluster, which is the prefix of its links. */
export function basePathOf(url: string | undefined): string | undefined {
  const path = url !== undefined && URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, '') : '';
  return path === '' ? undefined : path;
}
