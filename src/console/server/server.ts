import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { renewCertificate, type Certificate } from './certificate';
import { HttpError, readJson, send, sendJson, sendProblem } from './http';
import { HANDSHAKE_TIMEOUT, IDLE_TIMEOUT } from './limits';
import { isLoopbackHost, isServedHost, rejectionOfOrigin } from '../../kube/origin';
import type { LocalSession } from './local-session';
import type { Page } from './page-files';
import { answerApi, type Api } from './routes';
import { ApiError, NetworkError, toError } from '../../kube/errors';
import { InboundConnections, networkOf, UNLIMITED, type ConnectionLimits } from '../../kube/inbound-connections';
import type { Logger } from '../../kube/logger';
import type { Login, LoginRequest } from '../wire';

/** Address on which a console listens. */
export interface Listening {
  /** @default - all addresses */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
  /**
   * Reads the current certificate, repeatedly, because certificates are renewed.
   *
   * @default - plain HTTP
   */
  readonly tls?: () => Certificate;
}

/** Options of `serveConsole`. */
export interface ConsoleServerOptions extends Listening {
  readonly page: Page;
  readonly api: Api;
  /**
   * Session of a console on the user's machine; without it, requests of the page carry a bearer
   * token of the cluster, and the page itself is public.
   */
  readonly own?: LocalSession;
  /** Host names of a console in a cluster, in lower case. @default - none */
  readonly hosts?: ReadonlySet<string>;
  /** Limits of connections. @default - unlimited */
  readonly connections?: ConnectionLimits;
  readonly logger: Logger;
}

/** Running server of a console. */
export interface RunningConsole {
  readonly port: number;
  /** Closes all connections. */
  close(): Promise<void>;
}

/**
 * Serves the console.
 *
 * @throws {Error} if it cannot listen on the port, or cannot read or use the certificate
 */
export async function serveConsole(options: ConsoleServerOptions): Promise<RunningConsole> {
  const { tls: read, api: { clock }, logger } = options;
  const connections = new InboundConnections(options.connections ?? UNLIMITED, networkOf);
  const served = { ...options, api: provingConnections(options.api, connections) };
  const first = read?.();
  const secured = first && createHttpsServer({ ...first, ...KEEP_ALIVE, handshakeTimeout: HANDSHAKE_TIMEOUT });
  const server: Server = secured ?? createHttpServer(KEEP_ALIVE);
  connections.serve(server, (request, response) => void answer(request, response, served, portOf(server)));
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.timeout = IDLE_TIMEOUT;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const stopRenewal = secured && renewCertificate({ server: secured, first: first!, read: read!, clock, logger });
  return {
    port: portOf(server),
    close: () => new Promise((resolve) => {
      stopRenewal?.();
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

/** TCP keep-alive probes, which detect dead clients; in milliseconds. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 30_000 } as const;

/**
 * Marks connections that sent an accepted token: when there are too many, the server closes others
 * first.
 */
function provingConnections(api: Api, connections: InboundConnections): Api {
  return {
    ...api,
    async authenticate(request, signal) {
      const viewer = await api.authenticate(request, signal);
      connections.prove(request.socket);
      return viewer;
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

const NO_NAMES: ReadonlySet<string> = new Set();

async function answer(
  request: IncomingMessage, response: ServerResponse, { page, api, own, hosts = NO_NAMES, logger }: ConsoleServerOptions,
  port: number,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new HttpError(499, 'the client disconnected')));
  try {
    const { pathname: path, searchParams: query } = urlOf(request);
    const { host } = request.headers;
    // Probes of load balancers do not always send one of the console's names.
    if (path === '/healthz' && !own && ['GET', 'HEAD'].includes(request.method ?? '')) return send(response, 200, 'ok\n');
    if (own && !isLoopbackHost(host, port)) {
      throw new HttpError(421, 'this server does not have that name; open the address that sparkctl ui printed');
    }
    if (!own && !isServedHost(host, hosts)) {
      throw new HttpError(421, `this console has no name ${host ?? ''}: name it with --hosts, or console.hosts of SparkOperator`);
    }
    const isPage = path === '/';
    const reason = rejectionOfOrigin(
      { method: request.method ?? 'GET', headers: request.headers, isPage }, own ? [`http://${request.headers.host}`] : [],
    );
    if (reason !== undefined) throw new HttpError(403, `the request is rejected: ${reason}`);
    if (own && path === '/api/admit') return await admit(own, request, response);
    if (path.startsWith('/api/')) return await answerApi(api, request, response, path, query, gone.signal);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new HttpError(405, 'only GET is allowed here');
    if (!page.has(path)) throw new HttpError(404, 'this path does not exist');
    page.send(path, request, response);
  } catch (thrown) {
    const error = toError(thrown);
    const { status, text } = faultOf(error);
    if (status >= 500 && !response.destroyed) {
      logger.warn({ err: error, path: request.url?.split('?', 1)[0] }, 'a request of the console failed');
    }
    sendProblem(response, status, text, error instanceof HttpError ? error.headers : undefined);
  }
}

/** @throws {HttpError} 400 */
function urlOf({ url = '/' }: IncomingMessage): URL {
  // The URL parser takes two leading slashes for the name of a server.
  const text = `http://console${url.startsWith('/') ? '' : '/'}${url}`;
  if (!URL.canParse(text)) throw new HttpError(400, 'the path is invalid');
  return new URL(text);
}

/**
 * Exchanges the token of an address for the session.
 *
 * @throws {HttpError} 401 or 405
 */
async function admit(own: LocalSession, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') throw new HttpError(405, 'only POST is allowed here');
  const { token } = (await readJson(request) ?? {}) as Partial<LoginRequest>;
  const session = typeof token === 'string' ? own.login(token) : undefined;
  if (session === undefined) throw new HttpError(401, 'the token is wrong; open the address that sparkctl ui printed');
  sendJson(response, 200, { session } satisfies Login);
}

function faultOf(error: Error): { readonly status: number; readonly text: string } {
  if (error instanceof HttpError) return { status: error.status, text: error.message };
  // It contains the call and the API server's reason, which are no secret to the caller.
  if (error instanceof ApiError) return { status: error.status >= 400 && error.status < 500 ? error.status : 502, text: error.message };
  if (error instanceof NetworkError) return { status: 502, text: `the API server cannot be reached: ${error.message}` };
  return { status: 500, text: 'internal error of the console' };
}
