import { isDeepStrictEqual } from 'node:util';
import { propertyOf, type Schema } from '../../rules/schema';
import { entryKeyOf, entryName } from './list-rules';

/** Objects that form a unit, so that they are never merged. */
const UNITS = new Set([
  'postStart', 'preStop', 'seccompProfile', 'appArmorProfile', 'seLinuxOptions', 'windowsOptions', 'gpu', 'labelSelector',
]);

/** The origin of a value in the result, for each path below which nothing is merged. */
export interface Origin {
  /**
   * The stronger if only it has the value or the two differ; the weaker if only it has the value.
   */
  readonly from: 'stronger' | 'weaker';
  /** The path, such as `spec.driver.env[A]`. */
  readonly path: string;
}

/** Receives each origin. */
export type Note = (origin: Origin) => void;

/** The position of two values. */
interface Place {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  /** The schema of the value, if there is one: pod templates have none. */
  readonly schema: Schema | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Merges two parts of a specification. Objects and maps are merged field by field, lists by the
 * rules of `list-rules`. For two other values the stronger applies. An empty text in a field of the
 * schema means an unset field. The inputs are not changed, and the result shares values with them.
 *
 * @param note receives the origin of each value of the result, unless both values are equal
 */
export function combine(stronger: Fields, weaker: Fields, schema: Schema, note: Note): Fields {
  return combineObjects(stronger, weaker, { path: 'spec', name: 'spec', schema }, note);
}

function combineObjects(stronger: Fields, weaker: Fields, place: Place, note: Note): Fields {
  const names = new Set([...Object.keys(weaker), ...Object.keys(stronger)]);
  // An assignment would fail for the key `__proto__`, which a map can have.
  return Object.fromEntries(
    [...names].map((name) => [name, combineValues(own(stronger, name, place), own(weaker, name, place), inside(place, name), note)]),
  );
}

function combineValues(stronger: unknown, weaker: unknown, place: Place, note: Note): unknown {
  if (weaker === undefined) return noted(stronger, 'stronger', place, note);
  if (stronger === undefined) return noted(weaker, 'weaker', place, note);
  if (isMixed(stronger, place) && isMixed(weaker, place)) return combineObjects(stronger, weaker, place, note);
  if (isPutTogether(stronger, place) && isPutTogether(weaker, place)) return combineLists(stronger, weaker, place, note);
  if (!isDeepStrictEqual(stronger, weaker)) note({ from: 'stronger', path: place.path });
  return stronger;
}

/**
 * Merges lists. The entries of only the weaker come first: the later of two variables applies, and
 * can refer to the earlier one.
 */
function combineLists(stronger: readonly unknown[], weaker: readonly unknown[], place: Place, note: Note): unknown[] {
  const keyOf = entryKeyOf(place.name)!;
  const strongerKeys = new Set(stronger.map(keyOf));
  const ofWeaker = new Map(weaker.map((entry) => [keyOf(entry), entry]));
  const added = weaker.filter((entry) => !strongerKeys.has(keyOf(entry)));
  for (const entry of added) note({ from: 'weaker', path: pathOfEntry(place, keyOf(entry)) });
  for (const entry of stronger) {
    const isOnlyInStronger = !isDeepStrictEqual(ofWeaker.get(keyOf(entry)), entry);
    if (isOnlyInStronger) note({ from: 'stronger', path: pathOfEntry(place, keyOf(entry)) });
  }
  return [...added, ...stronger];
}

/**
 * Returns a value that only one of the two has. It notes the origins of the parts as if both had
 * it.
 */
function noted(value: unknown, from: Origin['from'], place: Place, note: Note): unknown {
  if (isMixed(value, place) && Object.keys(value).length > 0) {
    for (const [name, item] of Object.entries(value)) noted(item, from, inside(place, name), note);
  } else if (isPutTogether(value, place)) {
    for (const entry of value) note({ from, path: pathOfEntry(place, entryKeyOf(place.name)!(entry)) });
  } else if (value !== undefined) {
    note({ from, path: place.path });
  }
  return value;
}

function isMixed(value: unknown, { name }: Place): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !UNITS.has(name);
}

function isPutTogether(value: unknown, { name }: Place): value is readonly unknown[] {
  return Array.isArray(value) && entryKeyOf(name) !== undefined;
}

/**
 * Returns a field's value; none if it is empty, as Go and Helm write an unset field. A value in a
 * map can be empty on purpose.
 */
function own(fields: Fields, name: string, { schema }: Place): unknown {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return value === null || (value === '' && schema && propertyOf(schema, name)) ? undefined : value;
}

/**
 * Returns the place of a field or key. Fields follow a dot. Keys of maps can contain dots, so they
 * are in brackets.
 */
function inside({ path, schema }: Place, name: string): Place {
  const field = schema && propertyOf(schema, name);
  if (field || !schema?.additionalProperties) return { path: `${path}.${name}`, name, schema: field };
  return { path: `${path}[${name}]`, name: '', schema: schema.additionalProperties };
}

function pathOfEntry({ path }: Place, key: string): string {
  const name = entryName(key);
  return name === undefined ? path : `${path}[${name}]`;
}
