import type { IncomingMessage, ServerResponse } from 'node:http';
import { toError } from '../../kube/errors';
import type { Problem } from '../wire';

/** Error of a request that is answered with an HTTP status. The message is shown to users. */
export class HttpError extends Error {
  /** @param headers of the answer, in addition to the default ones */
  constructor(readonly status: number, message: string, readonly headers: Readonly<Record<string, string>> = {}) {
    super(message);
  }
}

/** Maximum size of a request body, in bytes: the page sends a few words at most. */
const MAX_BODY = 16 * 1024;

/**
 * Headers of every answer. The page cannot load anything from elsewhere or run inline scripts.
 * Other pages cannot show it in a frame or keep a reference to its window, and texts cannot become
 * code by mistake (Trusted Types).
 */
export const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Answers with JSON, which must not be cached: it is for one user at one moment. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers?: Readonly<Record<string, string>>): void {
  send(response, status, JSON.stringify(body), 'application/json; charset=utf-8', headers);
}

/** Answers with a text. */
export function send(
  response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8',
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    ...SECURITY_HEADERS, 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store', ...headers,
  });
  response.end(body);
}

/** Answers with an error. */
export function sendProblem(response: ServerResponse, status: number, error: string, headers?: Readonly<Record<string, string>>): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, status, { error } satisfies Problem, headers);
}

/**
 * Reads a JSON body; an empty one is an empty object.
 *
 * @throws {HttpError} 400, 413 or 415
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  // A form of another site cannot send this type without a preflight request.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new HttpError(415, 'the content type must be application/json');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new HttpError(413, `the body is larger than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw new HttpError(400, `the body is not JSON: ${toError(error).message}`);
  }
}

/**
 * Writes a chunk and waits for a slow reader. Resolves to `false` if the client has disconnected.
 */
export async function write(response: ServerResponse, chunk: string | Buffer): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(chunk)) return true;
  return new Promise((resolve) => {
    const settle = (isThere: boolean) => () => {
      response.off('drain', onDrain);
      response.off('close', onClose);
      resolve(isThere);
    };
    const [onDrain, onClose] = [settle(true), settle(false)];
    response.once('drain', onDrain);
    response.once('close', onClose);
  });
}
