import type { ExplanationText } from './explanation';
import type { KubeObject } from '../kube/objects';
import { shortDuration } from '../text/duration';

/** Milliseconds for which an object can wait for the deletion of its dependents. */
export const USUAL_DELETION = 120_000;

/** Finalizer of the API server: it waits for the dependents of the object. */
const FOREGROUND = 'foregroundDeletion';

/**
 * Returns what an object that is being deleted waits for, as the rest of a sentence. The operator
 * does not reconcile it any more.
 *
 * @returns undefined if it is not being deleted
 */
export function deletionText({ metadata: { deletionTimestamp, finalizers = [] } }: KubeObject): string | undefined {
  if (deletionTimestamp === undefined) return undefined;
  return finalizers.length === 0 ? 'is being deleted' : `is being deleted, and ${remainsText(finalizers)}`;
}

function remainsText(finalizers: readonly string[]): string {
  return `remains until its finalizers are removed: ${finalizers.join(', ')}`;
}

/** Explains that an object is being deleted; undefined if it is not. */
export function explainDeletion(
  { metadata: { deletionTimestamp, finalizers = [] } }: KubeObject, now: number,
): ExplanationText | undefined {
  if (deletionTimestamp === undefined) return undefined;
  const since = now - Date.parse(deletionTimestamp);
  const requested = `Its deletion was requested ${shortDuration(since)} ago, and its status is not updated any more`;
  const sentence = finalizers.length === 0 ? requested : `${requested}. It ${remainsText(finalizers)}`;
  return { headline: 'is being deleted', sentence, ...(since > USUAL_DELETION && { remedy: remedyOf(finalizers) }) };
}

function remedyOf(finalizers: readonly string[]): string {
  return finalizers.every((finalizer) => finalizer === FOREGROUND)
    ? 'find out why its pods do not end, such as a node that does not answer'
    : 'find out why the programs that have added its finalizers do not remove them';
}

/** Returns the same in a few words; undefined if it is not being deleted. */
export function shortDeletion(
  { metadata: { deletionTimestamp } }: KubeObject, now: number,
): { readonly text: string; readonly needsAttention: boolean } | undefined {
  if (deletionTimestamp === undefined) return undefined;
  return { text: 'being deleted', needsAttention: now - Date.parse(deletionTimestamp) > USUAL_DELETION };
}
