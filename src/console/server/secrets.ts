import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A secret that cannot be guessed: 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a secret is the right one. How long it takes says nothing about where they differ, nor how long they are. */
export function isSame(given: string | undefined, secret: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(secret)) && given !== undefined;
}

/** What stands for a secret where it is kept. */
export function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The value of a cookie of this name; of several the first. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  return header?.split(';').map((part) => part.trim()).find((part) => part.startsWith(prefix))?.slice(prefix.length);
}

/** Returns the bearer token of a request. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
}
