import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** Origin-related parts of a request. */
export interface RequestOrigin {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /**
   * Whether the request is for the page itself, which other sites can link to, and not for its
   * data.
   */
  readonly isPage: boolean;
}

/**
 * Whether a `Host` header is a loopback name with the server's port. Another name that resolves to
 * this machine belongs to a site that tries to read our answers (DNS rebinding).
 */
export function isLoopbackHost(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`);
}

/**
 * Whether a `Host` header is an IP address, localhost or one of the server's names. The port is
 * ignored, because a tunnel has another one. DNS rebinding needs another name.
 *
 * @param names in lower case
 */
export function isServedHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === 'localhost' || names.has(name);
}

/**
 * Returns the reason for rejecting a request of another site; undefined to accept it.
 *
 * Browsers send where a request comes from (Fetch Metadata) and, for all requests that can change
 * something, its origin. Other programs send neither; they need the token.
 *
 * @param origins of this server; empty if they are unknown, as behind an Ingress, where the `Host`
 * header decides
 */
export function rejectionOfOrigin({ method, headers, isPage }: RequestOrigin, origins: readonly string[]): string | undefined {
  const isNavigation = isPage && method === 'GET' && (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate'
    && (headers['sec-fetch-dest'] ?? 'document') === 'document';
  if (isFromElsewhere(headers) && !isNavigation) return 'it comes from another site';
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const isOwn = origins.length > 0 ? origins.includes(origin) : hostOf(origin) === headers.host;
  return isOwn ? undefined : 'it comes from another origin';
}

/**
 * Whether the browser reports that a page of another origin led to the request. A redirect and a
 * reload keep that.
 */
export function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
