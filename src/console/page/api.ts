import { LineSplitter } from './line-splitter';
import type { Login, LoginRequest, Problem } from '../wire';

/** Error answer of the server. */
export class RequestError extends Error {
  /** @param asksForToken whether the server accepts a bearer token */
  constructor(readonly status: number, message: string, readonly asksForToken = false) {
    super(message);
  }
}

/**
 * Whether an object was deleted, or the permission to read it withdrawn, so that its last known
 * state must not be shown any more.
 */
export function isUnavailable(error: RequestError | undefined): boolean {
  return error?.status === 403 || error?.status === 404;
}

/** Storage key of the bearer token, for this tab, in a cluster. */
const TOKEN = 'token';

/**
 * Storage key of the session of a console on the user's machine, for all tabs of this origin.
 * Unlike a cookie, it is not sent to other ports.
 */
const SESSION = 'session';

/** Maximum number of attempts at a request that the console answers with 503 and `retry-after`. */
const MAX_ATTEMPTS = 4;

/** Exchanges a token in the address for a session, and removes it from the address. */
export async function enter(): Promise<void> {
  const token = new URLSearchParams(location.search).get('token');
  if (token === null) return;
  history.replaceState(null, '', location.pathname + location.hash);
  const { session } = await post<Login>('admit', { token } satisfies LoginRequest);
  localStorage.setItem(SESSION, session);
}

/** Stores the bearer token; an empty one removes it. */
export function keepToken(token: string): void {
  if (token === '') sessionStorage.removeItem(TOKEN);
  else sessionStorage.setItem(TOKEN, token);
}

/**
 * Sends a request to the console's server. Repeats it while the server is overloaded.
 *
 * @throws {RequestError}
 */
export async function request(path: string, options: RequestInit = {}): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await send(path, options);
    if (response.ok) return response;
    const seconds = response.status === 503 ? Number(response.headers.get('retry-after')) : 0;
    if (seconds > 0 && attempt < MAX_ATTEMPTS) {
      await new Promise((resolve) => window.setTimeout(resolve, 1_000 * seconds * (0.5 + Math.random())));
      continue;
    }
    const problem = await response.json().catch(() => ({})) as Partial<Problem>;
    throw new RequestError(
      response.status, problem.error ?? `the console answers ${response.status}`, response.headers.has('www-authenticate'),
    );
  }
}

function send(path: string, { headers, ...options }: RequestInit): Promise<Response> {
  const token = sessionStorage.getItem(TOKEN) ?? localStorage.getItem(SESSION);
  return fetch(`api/${path}`, { ...options, headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) } })
    .catch((error: unknown) => {
      throw options.signal?.aborted
        ? error
        : new RequestError(0, 'the console does not answer; it might have been stopped');
    });
}

/** Sends a GET request. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request(path, signal && { signal })).json() as Promise<T>;
}

/** Sends a POST request. */
export async function post<T>(path: string, body: object = {}): Promise<T> {
  return (await request(path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  })).json() as Promise<T>;
}

/** Returns the path of an application or a schedule in the API. */
export function pathTo(kind: 'applications' | 'schedules', namespace: string, name: string, ...more: readonly string[]): string {
  return [kind, namespace, name, ...more].map(encodeURIComponent).join('/');
}

/** Passes on each chunk as it arrives; returns when the server ends the stream. */
export async function readBytes(path: string, signal: AbortSignal, take: (bytes: Uint8Array) => void): Promise<void> {
  await readResponse(await request(path, { signal }), take);
}

/** Follows a stream of lines until it ends. Empty lines are heartbeats. */
export async function readLines(path: string, { signal, onOpen, onActivity, onLine }: LineOptions): Promise<void> {
  const response = await request(path, { signal });
  onOpen();
  const lines = new LineSplitter();
  const decoder = new TextDecoder();
  await readResponse(response, (bytes) => {
    onActivity();
    lines.push(decoder.decode(bytes, { stream: true })).filter((line) => line !== '').forEach(onLine);
  });
  onActivity();
}

/** Options of `readLines`. */
export interface LineOptions {
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onActivity: () => void;
  readonly onLine: (line: string) => void;
}

async function readResponse(response: Response, take: (bytes: Uint8Array) => void): Promise<void> {
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    take(value);
  }
}
