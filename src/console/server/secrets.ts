import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Returns a random secret of 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Whether a secret is correct, compared in constant time: the duration reveals neither the position
 * of a difference nor the length.
 */
export function isSame(given: string | undefined, secret: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(secret)) && given !== undefined;
}

/** Returns the hash of a secret, to keep instead of the secret. */
export function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Returns the value of a cookie; the first one if there are several. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  return header?.split(';').map((part) => part.trim()).find((part) => part.startsWith(prefix))?.slice(prefix.length);
}

/** Returns the bearer token of a request. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
}
