import type { IncomingMessage, ServerResponse } from 'node:http';
import { toError } from '../../kube/errors';
import type { Problem } from '../wire';

/** A request that is answered with an HTTP error. The message is for people. */
export class HttpError extends Error {
  /** @param headers of the answer, besides those of all */
  constructor(readonly status: number, message: string, readonly headers: Readonly<Record<string, string>> = {}) {
    super(message);
  }
}

/** The largest body of a request, in bytes: what the page sends is empty or a few words. */
const MAX_BODY = 16 * 1024;

/**
 * On every answer. Nothing may be loaded from elsewhere, nothing that stands in the page itself is run, no other page may show this one in a frame or keep a hold of its window, and texts
 * cannot become code by mistake (Trusted Types).
 */
export const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Answers with JSON. Answers are for one user and one moment. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers?: Readonly<Record<string, string>>): void {
  send(response, status, JSON.stringify(body), 'application/json; charset=utf-8', headers);
}

/** Answers with a text. */
export function send(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8', headers: Readonly<Record<string, string>> = {}): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store', ...headers });
  response.end(body);
}

/** Answers with what went wrong. */
export function sendProblem(response: ServerResponse, status: number, error: string, headers?: Readonly<Record<string, string>>): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, status, { error } satisfies Problem, headers);
}

/**
 * Reads a body of JSON; none is an empty object.
 *
 * @throws {HttpError} 400, 413 or 415
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  // A form of another site cannot send this type without being asked for permission first.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) throw new HttpError(415, 'only application/json is read');
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

/** Writes, and waits while the other side reads more slowly than this one writes. Resolves to whether there is anybody still. */
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
