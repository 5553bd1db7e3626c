import { isDeepStrictEqual } from 'node:util';
import { isObject } from './is-object';

/**
 * Returns the JSON merge patch (RFC 7396) from one value to another; undefined if they are equal.
 * Lists are replaced as a whole.
 */
export function mergePatchOf(before: object, after: object): object | undefined {
  const patch = Object.fromEntries([...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): [string, unknown][] => {
    const [old, now] = [before, after].map((each) => (each as Readonly<Record<string, unknown>>)[name]);
    if (isDeepStrictEqual(old, now)) return [];
    if (now === undefined) return [[name, null]];
    return [[name, isObject(old) && isObject(now) ? mergePatchOf(old, now) : now]];
  }));
  return Object.keys(patch).length === 0 ? undefined : patch;
}
