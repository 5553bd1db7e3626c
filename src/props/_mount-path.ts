import type { Problem } from '../model/problem';

/**
 * Checks a folder in a container; undefined is valid.
 * @param isLocalDir whether it is one of Spark's local directories, whose list is separated by
 * commas
 * @internal
 */
export function wrongMountPath(path: string, value: string | undefined, isLocalDir = false): Problem | undefined {
  if (typeof value !== 'string') return undefined;
  if (!value.startsWith('/')) return { path, value, reason: 'must begin with a slash' };
  if (value.includes(':')) return { path, value, reason: "must not contain ':', which Kubernetes rejects in a mount path" };
  return isLocalDir && value.includes(',') ? {
    path, value, reason: "must not contain ',', which separates Spark's local directories",
  } : undefined;
}
