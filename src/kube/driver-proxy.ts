import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isNotFound, toError } from './errors';

/**
 * Hop-by-hop headers and credentials. A driver runs untrusted code, and browsers send the cookies
 * of a host to all its ports.
 */
const NOT_FORWARDED = [
  'connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'cookie',
  'authorization',
];

/**
 * Hop-by-hop headers, and headers that a driver must not set. Its cookies would reach all servers
 * on this machine, and the browser would cache its files for the next server on this port.
 */
const NOT_RETURNED = [
  'connection', 'keep-alive', 'proxy-connection', 'trailer', 'transfer-encoding', 'upgrade', 'set-cookie', 'clear-site-data',
  'strict-transport-security', 'service-worker-allowed', 'cache-control', 'expires',
];

/** Answer to a request for a service worker. */
export const SERVICE_WORKER_REFUSAL = 'service workers are rejected: the browser would keep them for the next server on this port';

/**
 * Returns status and text of the answer to a browser for an error of `passToDriver`.
 *
 * @param name of the pod's role
 */
export function driverProblem(error: Error, name: 'driver' | 'server' = 'driver'): [status: number, text: string] {
  return isNotFound(error) ? [410, `the ${name} has ended: its pod was deleted, and its Spark UI with it`]
    : [502, `the ${name} does not answer: ${error.message}`];
}

/** Whether a browser requests the script of a service worker, which would outlive the driver. */
export function isServiceWorker({ headers }: IncomingMessage): boolean {
  return headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker';
}

/**
 * Answers with a page that refreshes to the driver's first page. After a redirect, the browser
 * would keep naming the console's page as the origin of the request, also after reloads and Spark's
 * own redirects.
 *
 * @param headers further headers of the answer
 */
export function sendEntrance(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, {
    ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer', 'cache-control': 'no-store',
  }).end(
    '<!doctype html><html lang="en"><meta http-equiv="refresh" content="0; url=/"><title>Spark UI</title><a href="/">Spark UI</a></html>\n',
  );
}

/**
 * Forwards a request to the web UI of a driver, without the browser's credentials, and returns the
 * answer.
 *
 * @param dial connects to the driver; its signal is aborted when the browser disconnects
 * @param basePath path prefix that an Ingress removes and that the UI therefore expects in its own
 * links
 * @throws {Error} if no valid answer arrives
 */
export async function passToDriver(
  request: IncomingMessage, response: ServerResponse, dial: (signal: AbortSignal) => Promise<Duplex>, basePath = '',
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the browser closed the connection')));
  const connection = await dial(gone.signal);
  if (gone.signal.aborted) {
    connection.destroy();
    return;
  }
  const path = request.url ?? '/';
  const outgoing = httpRequest({
    createConnection: () => connection as never,
    method: request.method,
    path: basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path,
    headers: { ...without(request.headers, NOT_FORWARDED), connection: 'close' },
  });
  await new Promise<void>((resolve, reject) => {
    outgoing.once('error', reject);
    // The browser gets an answer, whatever the driver does.
    outgoing.once('close', () => reject(new Error('it closed the connection')));
    response.once('close', () => outgoing.destroy());
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('it requested a protocol upgrade'));
    });
    outgoing.once('response', (answer) => {
      try {
        passBack(answer, response);
        answer.once('error', reject);
        answer.once('end', resolve);
      } catch (error) {
        // An exception in a listener would end the process.
        outgoing.destroy();
        reject(toError(error));
      }
    });
    request.pipe(outgoing);
  });
}

/** @throws {Error} if the answer is invalid: a driver can send anything */
function passBack(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 200 || statusCode > 599) throw new Error(`its answer has the status ${statusCode}`);
  response.writeHead(statusCode, { ...without(headers, NOT_RETURNED), 'cache-control': 'no-store' });
  answer.pipe(response);
}

function without(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
