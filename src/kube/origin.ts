import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** What a request says of where it comes from. */
export interface Arrival {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether it is for the page itself, which a user may come to from anywhere, or for what the page asks for. */
  readonly isPage: boolean;
}

/**
 * Whether a host is a name of this machine alone, with the port that the server listens on. Another
 * name that leads here belongs to a page whose owner wants to read ours (DNS rebinding).
 */
export function isLoopbackHost(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`);
}

/**
 * Whether a host is an address, localhost or one of the names of a server, whatever the port: that
 * of a tunnel differs. DNS rebinding needs another name.
 *
 * @param names in lower case
 */
export function isServedHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === 'localhost' || names.has(name);
}

/**
 * Why a request of another site is refused; undefined if it may come in.
 *
 * Browsers tell where a request comes from (Fetch Metadata) and, with all that can change something, its origin. Programs that are no browsers tell neither; they have to know the token.
 *
 * @param origins how this server is called; empty if nobody knows, as behind an Ingress: then the host of the request counts
 */
export function refusalOfOrigin({ method, headers, isPage }: Arrival, origins: readonly string[]): string | undefined {
  const isNavigation = isPage && method === 'GET' && (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' && (headers['sec-fetch-dest'] ?? 'document') === 'document';
  if (isFromElsewhere(headers) && !isNavigation) return 'it comes from another site';
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const isOwn = origins.length > 0 ? origins.includes(origin) : hostOf(origin) === headers.host;
  return isOwn ? undefined : 'it comes from another origin';
}

/** Whether a browser says that a page of another origin led to the request. A redirect and a reload keep that. */
export function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
