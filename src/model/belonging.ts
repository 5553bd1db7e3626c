/**
 * Owner of an existing object whose name a driver needs:
 *
 * - `ours`: the current submission created it
 * - `earlier`: another submission of the same owner created it; the operator deletes it before it
 *   creates a new one
 * - `leaving`: it is being deleted, or belongs to a deleted owner of the same name; Kubernetes will
 *   delete it
 * - `foreign`: it belongs to something else; the operator does not touch it
 */
export type Belonging = 'ours' | 'earlier' | 'leaving' | 'foreign';
