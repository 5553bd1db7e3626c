import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { isServiceWorker, passToDriver, sendEntrance, SERVICE_WORKER_REFUSAL } from '../../kube/driver-proxy';
import { HttpError } from './http';
import { isLoopbackHost, refusalOfOrigin } from '../../kube/origin';
import { cookieIn, isSame, newSecret } from './secrets';
import { toError } from '../../kube/errors';
import { InboundConnections, UNLIMITED } from '../../kube/inbound-connections';

/** The port of Spark's web UI unless `spark.ui.port` says otherwise. */
export const SPARK_UI_PORT = 4040;

/** Milliseconds without a request after which the way to a driver is closed. */
const IDLE = 30 * 60_000;

/** Where a driver's web UI is. */
export interface DriverUi {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** The path that the UI was told it is served below, by an Ingress that takes it off. @default - none */
  readonly basePath?: string;
}

/** Makes a TCP connection to a port of a pod; the signal gives it up. */
export type Dial = (ui: DriverUi, signal: AbortSignal) => Promise<Duplex>;

/** The numbers of ports that may be listened on, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Ways to the web UIs of drivers, each with a port of its own on the loopback address.
 *
 * What a driver serves is the code of whoever wrote the application. On an origin of its own the browser keeps it away from the console, and from other drivers: it can neither read nor send
 * anything there.
 */
export class SparkUis {
  private readonly open = new Map<string, Promise<OpenUi>>();

  /** @param ports those that may be used; any that are free without it */
  constructor(private readonly dial: Dial, private readonly now: () => number, private readonly ports?: PortRange) {}

  /**
   * Opens a way to a driver's web UI.
   *
   * @param hostname the name by which the user has come to the console, one of this machine alone: under another one the browser would keep the cookie back
   * @returns its URL, with a token in it that lets in once
   * @throws {HttpError} 409 if all ports that may be used are taken
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
    const given = first === last ? `port ${first}, which --spark-ui-port names, is` : `all ports from ${first} to ${last}, which --spark-ui-port names, are`;
    throw new HttpError(409, `${given} taken; one that leads to another driver is free again ${IDLE / 60_000} minutes after it was last used, or name more ports`);
  }

  private readonly server: Server = createServer();
  private readonly session = newSecret();
  private readonly tickets = new Set<string>();
  private lastUse: number;
  private readonly idleCheck: NodeJS.Timeout;

  private constructor(private readonly ui: DriverUi, private readonly dial: Dial, private readonly now: () => number, private readonly onClose: () => void) {
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

  /** Resolves to `false` if the port is taken. */
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

  /** Cookies do not know ports: each has a name of its own. */
  private get cookie(): string {
    return `spark-ui-${this.port}`;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { port } = this;
    const [path, query = ''] = (request.url ?? '/').split('?', 2) as [string, string?];
    const refuse = (status: number, text: string) => response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }).end(`${text}\n`);
    if (!isLoopbackHost(request.headers.host, port)) return void refuse(421, 'this is not the name of this server');
    const ticket = new URLSearchParams(query).get('ticket');
    // The console itself is another origin: its button leads to the entrance only.
    const isEntrance = request.method === 'GET' && path === '/' && ticket !== null;
    const reason = refusalOfOrigin({ method: request.method ?? 'GET', headers: request.headers, isPage: isEntrance }, [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`]);
    if (reason !== undefined) return void refuse(403, reason);
    if (isEntrance && this.tickets.delete(ticket)) {
      return sendEntrance(response, {
        'set-cookie': `${this.cookie}=${this.session}; HttpOnly; SameSite=Strict; Path=/`,
        // What another driver may have left when it had this port.
        'clear-site-data': '"cache", "storage"',
      });
    }
    if (isServiceWorker(request)) return void refuse(403, SERVICE_WORKER_REFUSAL);
    if (!isSame(cookieIn(request.headers.cookie, this.cookie), this.session)) return void refuse(401, 'open the Spark UI from the console');
    this.lastUse = this.now();
    passToDriver(request, response, (signal) => this.dial(this.ui, signal), this.ui.basePath).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(502, `the driver does not answer: ${toError(error).message}`);
    });
  }
}

/** The port of an application's web UI, by its Spark properties; undefined if it has none. */
export function portOf(sparkConf: Readonly<Record<string, string>> | undefined): number | undefined {
  if (sparkConf?.['spark.ui.enabled']?.trim().toLowerCase() === 'false') return undefined;
  const port = Number(sparkConf?.['spark.ui.port'] ?? SPARK_UI_PORT);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : SPARK_UI_PORT;
}

/** The path of a URL outside of the cluster, which the UI believes to be served below. */
export function basePathOf(url: string | undefined): string | undefined {
  const path = url !== undefined && URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, '') : '';
  return path === '' ? undefined : path;
}
