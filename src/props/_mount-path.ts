import type { Violation } from '../model/problem';

/**
 * A folder in a container; what is left out is fine.
 * @param isLocalDir whether it is one of Spark's local directories, which Spark separates by commas
 * @internal
 */
export function wrongMountPath(path: string, value: string | undefined, isLocalDir = false): Violation | undefined {
  if (typeof value !== 'string') return undefined;
  if (!value.startsWith('/')) return { path, value, reason: 'must begin with a slash' };
  if (value.includes(':')) return { path, value, reason: "must not have ':', which Kubernetes does not take in the path of a mount" };
  return isLocalDir && value.includes(',') ? { path, value, reason: "must not have ',', by which Spark separates its local directories" } : undefined;
}
