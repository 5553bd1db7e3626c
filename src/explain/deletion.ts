import type { ExplanationText } from './explanation';
import type { KubeObject } from '../kube/objects';
import { shortDuration } from '../text/duration';

/** Milliseconds for which an object can wait for the deletion of its dependents. */
const USUAL = 120_000;

/**
 * Returns what an object that is being deleted waits for, as the rest of a sentence. The operator
 * does not reconcile it any more.
 *
 * @returns undefined if it is not being deleted
 */
export function deletionText({ metadata: { deletionTimestamp, finalizers = [] } }: KubeObject): string | undefined {
  if (deletionTimestamp === undefined) return undefined;
  return finalizers.length === 0 ? 'is being deleted' : `is being deleted, and remains until its finalizers are removed: ${finalizers.join(', ')}`;
}

/** Explains that an object is being deleted; undefined if it is not. */
export function explainDeletion(object: KubeObject, now: number): ExplanationText | undefined {
  const text = deletionText(object);
  if (text === undefined) return undefined;
  const since = now - Date.parse(object.metadata.deletionTimestamp!);
  return {
    headline: 'is being deleted',
    sentence: `It ${text}; its deletion was requested ${shortDuration(since)} ago, and its status has not been updated since`,
    ...(since > USUAL && { remedy: 'find out why the programs that have added its finalizers do not remove them' }),
  };
}

/** Returns the same in a few words; undefined if it is not being deleted. */
export function shortDeletion(
  { metadata: { deletionTimestamp } }: KubeObject, now: number,
): { readonly text: string; readonly needsAttention: boolean } | undefined {
  if (deletionTimestamp === undefined) return undefined;
  return { text: 'being deleted', needsAttention: now - Date.parse(deletionTimestamp) > USUAL };
}
