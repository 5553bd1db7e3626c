import { isDeepStrictEqual } from 'node:util';
import type { PatchOperation } from './review';

interface Fields { readonly [name: string]: unknown }

/**
 * Returns the operations that turn one JSON value into another (RFC 6902). Earlier operations
 * affect the paths of later ones. Equal parts stay untouched, so that the patch is compatible with
 * those of other webhooks. Lists are compared by index, and each appended entry is one operation.
 *
 * @param before the value as the API server sent it
 * @param after the desired value; `undefined` fields are absent, as in JSON
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
  const removed = Object.keys(before).filter((name) => has(before, name) && !has(after, name)).map((name): PatchOperation => ({
    op: 'remove', path: pointer(path, name),
  }));
  const changed = Object.keys(after).filter((name) => has(after, name)).flatMap((name): PatchOperation[] => (
    has(before, name)
      ? difference(pointer(path, name), before[name], after[name])
      : [{ op: 'add', path: pointer(path, name), value: after[name] }]
  ));
  return [...removed, ...changed];
}

function listDifference(path: string, before: readonly unknown[], after: readonly unknown[]): PatchOperation[] {
  const kept = Math.min(before.length, after.length);
  const changed = after.slice(0, kept).flatMap((item, index) => difference(`${path}/${index}`, before[index], item));
  // From the end, so that the other indexes stay valid.
  const removed = before.slice(kept).map((_, index): PatchOperation => ({ op: 'remove', path: `${path}/${kept + index}` })).reverse();
  const added = after.slice(kept).map((value, index): PatchOperation => ({ op: 'add', path: `${path}/${kept + index}`, value }));
  return [...changed, ...removed, ...added];
}

/** Appends a name to a JSON Pointer (RFC 6901). */
function pointer(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function has(fields: Fields, name: string): boolean {
  return Object.hasOwn(fields, name) && fields[name] !== undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
