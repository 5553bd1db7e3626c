import type { Finding, Findings } from './finding';
import { ApiError, NetworkError, type Call } from '../../kube/errors';

/** What came of a look into the cluster. */
export type Reading<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** There is no such object, or no such kind. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden'; readonly call: Call }
  /** There was no answer, or one that says nothing. */
  | { readonly kind: 'failed'; readonly message: string; readonly code: string };

/** What can be told of a look that has shown nothing. */
export type Unseen = Extract<Reading<never>, { readonly kind: 'forbidden' | 'failed' }>;

/**
 * Looks, without letting one thing that cannot be seen keep the others from being looked at.
 *
 * @throws the reason of the signal that has ended it
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

/** A finding about what could not be seen. @param what what was to be looked at */
export function unseen({ notAllowed, warning }: Findings, what: string, looked: Unseen): Finding {
  if (looked.kind === 'failed') return warning(`${what} could not be looked at: ${looked.message}`, 'sparkctl doctor');
  return notAllowed(`you cannot read ${what}`, canI(looked.call));
}

/** The command that tests a right. */
export function canI({ verb, resource, namespace }: Call): string {
  return `kubectl auth can-i ${verb} ${resource}${namespace === undefined ? ' -A' : ` -n ${namespace}`}`;
}

/** What was found, or undefined. */
export function valueOf<T>(looked: Reading<T>): T | undefined {
  return looked.kind === 'found' ? looked.value : undefined;
}

/** Whether nothing could be seen, for whatever reason but that there is nothing. */
export function isUnseen<T>(looked: Reading<T>): looked is Unseen {
  return looked.kind === 'forbidden' || looked.kind === 'failed';
}
