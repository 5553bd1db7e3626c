import type { Finding, Findings } from './finding';
import { ApiError, NetworkError, type Call } from '../../kube/errors';
import { canI } from '../lacking-permission';

/** Result of a read from the cluster. */
export type Reading<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** The object or the kind does not exist. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden'; readonly call: Call }
  /** There was no answer, or another error. */
  | { readonly kind: 'failed'; readonly message: string; readonly code: string };

/** Result of a read that failed. */
export type Unreadable = Extract<Reading<never>, { readonly kind: 'forbidden' | 'failed' }>;

/**
 * Awaits a read. A failed read becomes a result, so that the other checks continue.
 *
 * @throws the reason of the signal that aborted it, and errors that are not the cluster's
 */
export async function read<T>(reading: Promise<T>): Promise<Reading<T>> {
  try {
    return { kind: 'found', value: await reading };
  } catch (error) {
    if (error instanceof NetworkError) return { kind: 'failed', message: error.message, code: error.code };
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) return { kind: 'missing' };
    if (error.status === 403) return { kind: 'forbidden', call: error.call };
    return { kind: 'failed', message: error.message, code: String(error.status) };
  }
}

/** Returns the finding for a failed read. @param what name of the objects in a sentence */
export function unreadable({ notAllowed, warning }: Findings, what: string, reading: Unreadable): Finding {
  if (reading.kind === 'failed') return warning(`${what} could not be read: ${reading.message}`, 'sparkctl doctor');
  return notAllowed(`you cannot read ${what}`, canI(reading.call));
}

/** Returns the value that was read, or undefined. */
export function valueOf<T>(reading: Reading<T>): T | undefined {
  return reading.kind === 'found' ? reading.value : undefined;
}

/** Returns whether a read failed, other than by a missing object. */
export function isUnreadable<T>(reading: Reading<T>): reading is Unreadable {
  return reading.kind === 'forbidden' || reading.kind === 'failed';
}
