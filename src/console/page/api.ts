import { EventReader, type StreamMessage } from './events';
import type { Problem } from '../wire';

/** What the server answers if something is wrong. */
export class RequestError extends Error {
  /** @param asksForToken whether a bearer token would help */
  constructor(readonly status: number, message: string, readonly asksForToken = false) {
    super(message);
  }
}

/** Where the token is kept while the tab is open, in a cluster. */
const TOKEN = 'token';

/** Keeps the bearer token; an empty one forgets it. */
export function keepToken(token: string): void {
  if (token === '') sessionStorage.removeItem(TOKEN);
  else sessionStorage.setItem(TOKEN, token);
}

/**
 * Sends a request to the server that the page is from.
 *
 * @throws {RequestError}
 */
export async function request(path: string, { headers, ...options }: RequestInit = {}): Promise<Response> {
  const token = sessionStorage.getItem(TOKEN);
  const response = await fetch(`api/${path}`, { ...options, headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) } })
    .catch((error: unknown) => { throw options.signal?.aborted ? error : new RequestError(0, 'the console does not answer; it may have been ended'); });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({})) as Partial<Problem>;
  throw new RequestError(response.status, problem.error ?? `the console answers ${response.status}`, response.headers.has('www-authenticate'));
}

/** Reads something. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request(path, signal && { signal })).json() as Promise<T>;
}

/** Does something. */
export async function post<T>(path: string, body: object = {}): Promise<T> {
  return (await request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json() as Promise<T>;
}

/** The path of an application or a schedule in the API. */
export function pathTo(kind: 'applications' | 'schedules', namespace: string, name: string, ...more: readonly string[]): string {
  return [kind, namespace, name, ...more].map(encodeURIComponent).join('/');
}

/** Hands on what comes, as it comes; returns when the server ends it. */
export async function readBytes(path: string, signal: AbortSignal, take: (bytes: Uint8Array) => void): Promise<void> {
  await readResponse(await request(path, { signal }), take);
}

/**
 * Follows an event stream until it ends.
 *
 * @param lastId where to go on
 */
export async function readEvents(path: string, { lastId, signal, onOpen, onActivity, onMessage }: EventOptions): Promise<void> {
  const response = await request(path, { signal, headers: lastId === undefined ? {} : { 'last-event-id': lastId } });
  onOpen();
  const reader = new EventReader();
  const decoder = new TextDecoder();
  await readResponse(response, (bytes) => {
    onActivity();
    reader.read(decoder.decode(bytes, { stream: true })).forEach(onMessage);
  });
  onActivity();
}

export interface EventOptions {
  readonly lastId?: string;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onActivity: () => void;
  readonly onMessage: (message: StreamMessage) => void;
}

async function readResponse(response: Response, take: (bytes: Uint8Array) => void): Promise<void> {
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    take(value);
  }
}
