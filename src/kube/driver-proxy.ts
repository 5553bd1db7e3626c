import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { toError } from './errors';

/**
 * Headers of one connection, and credentials: a driver runs the code of others, and browsers send
 * the cookies of a host to every port of it.
 */
const NOT_FORWARDED = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'cookie', 'authorization'];

/**
 * Headers of one connection, and those that a driver must not set: its cookies would be sent to all
 * servers on this machine, and the browser would keep its files for the next server on this port.
 */
const NOT_RETURNED = [
  'connection', 'keep-alive', 'proxy-connection', 'trailer', 'transfer-encoding', 'upgrade', 'set-cookie', 'clear-site-data', 'strict-transport-security', 'service-worker-allowed', 'cache-control', 'expires',
];

/** The answer to a request for a service worker. */
export const SERVICE_WORKER_REFUSAL = 'service workers are not let in: one would stay in the browser for whatever is on this port later';

/** Whether a browser asks for the script of a service worker, which would outlive the driver. */
export function isServiceWorker({ headers }: IncomingMessage): boolean {
  return headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker';
}

/**
 * Answers with a page that leads to the driver's first page. After a redirect instead, the browser
 * would still name the page that led here as the origin of the request, and again for the pages that
 * Spark redirects to and for each reload.
 *
 * @param headers further headers of the answer
 */
export function sendEntrance(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, {
    ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'", 'referrer-policy': 'no-referrer', 'cache-control': 'no-store',
  }).end('<!doctype html><html lang="en"><meta http-equiv="refresh" content="0; url=/"><title>Spark UI</title><a href="/">Spark UI</a></html>\n');
}

/**
 * Passes a request on to the web UI of a driver, and its answer back, without the credentials of
 * the browser.
 *
 * @param dial makes a connection to the driver; its signal is aborted when the browser has gone
 * @param basePath the path that the UI believes it is served below, by an Ingress that removes it
 * @throws {Error} if there is no answer that can be passed back
 */
export async function passToDriver(request: IncomingMessage, response: ServerResponse, dial: (signal: AbortSignal) => Promise<Duplex>, basePath = ''): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the browser has closed the connection')));
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
    // Whatever the driver does, the browser gets an answer.
    outgoing.once('close', () => reject(new Error('it has closed the connection')));
    response.once('close', () => outgoing.destroy());
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('it wants to speak another protocol'));
    });
    outgoing.once('response', (answer) => {
      try {
        passBack(answer, response);
        answer.once('error', reject);
        answer.once('end', resolve);
      } catch (error) {
        // An exception of a listener would end the process.
        outgoing.destroy();
        reject(toError(error));
      }
    });
    request.pipe(outgoing);
  });
}

/** @throws {Error} if the answer cannot be passed back: a driver can send anything */
function passBack(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 200 || statusCode > 599) throw new Error(`its answer has the status ${statusCode}`);
  response.writeHead(statusCode, { ...without(headers, NOT_RETURNED), 'cache-control': 'no-store' });
  answer.pipe(response);
}

function without(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
