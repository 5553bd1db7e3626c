import { isDeepStrictEqual } from 'node:util';
import type { PatchOperation } from './review';

interface Fields { readonly [name: string]: unknown }

/**
 * The operations that make one JSON value of another (RFC 6902), of which those that come first count for the paths of later ones. What is the
 * same in both is not touched, so that a patch stands beside those of other webhooks. Entries of lists are compared place by place: what is added
 * at the end is one operation for each entry.
 *
 * @param before the value as the API server sent it
 * @param after the value that is wanted; fields that are `undefined` are not there, as in JSON
 */
export function patchOf(before: unknown, after: unknown): PatchOperation[] {
  return difference('', before, after);
}

function difference(path: string, before: unknown, after: unknown): PatchOperation[] {
  if (before === after || isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listDifference(path, before, after);
  if (isObject(before) && isObject(after)) return objectDifference(path, before, after);
  return [{ op: 'replace', path, value: after }];
}

function objectDifference(path: string, before: Fields, after: Fields): PatchOperation[] {
  const removed = Object.keys(before).filter((name) => has(before, name) && !has(after, name)).map((name): PatchOperation => ({ op: 'remove', path: pointer(path, name) }));
  const changed = Object.keys(after).filter((name) => has(after, name)).flatMap((name): PatchOperation[] => (
    has(before, name) ? difference(pointer(path, name), before[name], after[name]) : [{ op: 'add', path: pointer(path, name), value: after[name] }]
  ));
  return [...removed, ...changed];
}

function listDifference(path: string, before: readonly unknown[], after: readonly unknown[]): PatchOperation[] {
  const kept = Math.min(before.length, after.length);
  const changed = after.slice(0, kept).flatMap((item, index) => difference(`${path}/${index}`, before[index], item));
  // From the end, so that the places of the others stay.
  const removed = before.slice(kept).map((_, index): PatchOperation => ({ op: 'remove', path: `${path}/${kept + index}` })).reverse();
  const added = after.slice(kept).map((value, index): PatchOperation => ({ op: 'add', path: `${path}/${kept + index}`, value }));
  return [...changed, ...removed, ...added];
}

/** A step further in a JSON Pointer (RFC 6901). */
function pointer(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function has(fields: Fields, name: string): boolean {
  return Object.hasOwn(fields, name) && fields[name] !== undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
