import { isMap, isScalar, type Pair, type Scalar, YAMLMap } from 'yaml';

/** Returns a field of an object. */
export function fieldOf(map: YAMLMap, name: string): Pair<Scalar, unknown> | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name) as Pair<Scalar, unknown> | undefined;
}

/**
 * Returns the object in a field; undefined if there is none. Aliases are not followed: the object
 * is converted at its anchor.
 */
export function objectIn(map: YAMLMap, name: string): YAMLMap | undefined {
  const value = fieldOf(map, name)?.value;
  return isMap(value) ? value : undefined;
}

/** Returns the number or text in a field; undefined if there is none. */
export function valueIn(map: YAMLMap, name: string): unknown {
  const value = fieldOf(map, name)?.value;
  return isScalar(value) ? value.value : undefined;
}

/** Renames a field. Its position, comments and value stay. */
export function rename(map: YAMLMap, name: string, to: string): void {
  const pair = fieldOf(map, name);
  if (pair) pair.key.value = to;
}

/** Replaces the value of an existing field. Comments stay. */
export function replace(map: YAMLMap, name: string, value: unknown): void {
  const pair = fieldOf(map, name);
  if (!pair) return;
  if (isScalar(pair.value)) {
    pair.value.value = value;
    // These would make the writer print the old number.
    delete pair.value.source;
    delete pair.value.minFractionDigits;
  } else {
    pair.value = value;
  }
}

/** Inserts a field after another one. */
export function addBehind(map: YAMLMap, name: string, added: Pair): void {
  const index = map.items.findIndex(({ key }) => isScalar(key) && key.value === name);
  map.items.splice(index + 1, 0, added);
}

/** Removes a field. A comment above it stays, as it might describe all following fields. */
export function remove(map: YAMLMap, name: string): boolean {
  const index = map.items.findIndex(({ key }) => isScalar(key) && key.value === name);
  if (index < 0) return false;
  const [{ key }] = map.items.splice(index, 1) as [Pair<Scalar, unknown>];
  const next = map.items[index]?.key;
  if (key.commentBefore && isScalar(next)) next.commentBefore = [key.commentBefore, next.commentBefore].filter(Boolean).join('\n');
  return true;
}
