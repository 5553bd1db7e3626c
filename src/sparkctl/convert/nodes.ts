import { isMap, isScalar, type Pair, type Scalar, YAMLMap } from 'yaml';

/** A field of an object, as it is written. */
export function fieldOf(map: YAMLMap, name: string): Pair<Scalar, unknown> | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name) as Pair<Scalar, unknown> | undefined;
}

/** The object in a field; undefined if there is none. An anchor elsewhere is not followed: what stands there is changed where it is written. */
export function objectIn(map: YAMLMap, name: string): YAMLMap | undefined {
  const value = fieldOf(map, name)?.value;
  return isMap(value) ? value : undefined;
}

/** The number or text in a field; undefined if there is none. */
export function valueIn(map: YAMLMap, name: string): unknown {
  const value = fieldOf(map, name)?.value;
  return isScalar(value) ? value.value : undefined;
}

/** Gives a field another name. Its place, its comments and what is in it stay. */
export function rename(map: YAMLMap, name: string, to: string): void {
  const pair = fieldOf(map, name);
  if (pair) pair.key.value = to;
}

/** Puts a value into a field that is there. Comments stay. */
export function replace(map: YAMLMap, name: string, value: unknown): void {
  const pair = fieldOf(map, name);
  if (!pair) return;
  if (isScalar(pair.value)) {
    pair.value.value = value;
    // A number is written as it was read, with as many digits.
    delete pair.value.source;
    delete pair.value.minFractionDigits;
  } else {
    pair.value = value;
  }
}

/** Adds a field behind another one. */
export function addBehind(map: YAMLMap, name: string, added: Pair): void {
  const index = map.items.findIndex(({ key }) => isScalar(key) && key.value === name);
  map.items.splice(index + 1, 0, added);
}

/** Removes a field. A comment above it stays: it may be about all that follows. */
export function remove(map: YAMLMap, name: string): boolean {
  const index = map.items.findIndex(({ key }) => isScalar(key) && key.value === name);
  if (index < 0) return false;
  const [{ key }] = map.items.splice(index, 1) as [Pair<Scalar, unknown>];
  const next = map.items[index]?.key;
  if (key.commentBefore && isScalar(next)) next.commentBefore = [key.commentBefore, next.commentBefore].filter(Boolean).join('\n');
  return true;
}
