/**
 * Whose an object is that has a name which something with a driver needs:
 *
 * - `ours`: it was created for the current submission;
 * - `earlier`: it was created for another submission of the same owner: it is to be deleted before there is a new one;
 * - `leaving`: it is being deleted, or belongs to an owner of the same name that was deleted: Kubernetes will remove it;
 * - `foreign`: somebody else's. It is left alone.
 */
export type Belonging = 'ours' | 'earlier' | 'leaving' | 'foreign';
