import { isDeepStrictEqual } from 'node:util';
import { propertyOf, type Schema } from '../../rules/schema';
import { entryKeyOf, entryName } from './list-rules';

/** Objects that say one thing together, so that they are taken as a whole. */
const UNITS = new Set(['postStart', 'preStop', 'seccompProfile', 'appArmorProfile', 'seLinuxOptions', 'windowsOptions', 'gpu', 'labelSelector']);

/** Where a value of the result comes from, told for each path below which nothing is mixed. */
export interface Origin {
  /** The stronger where only it has the value or the two differ; the weaker where only it has it. */
  readonly from: 'stronger' | 'weaker';
  /** Such as `spec.driver.env[A]`. */
  readonly path: string;
}

/** Told of each origin. */
export type Note = (origin: Origin) => void;

/** Where two values stand. */
interface Place {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  /** That of the value, if there is one: pod templates have none. */
  readonly schema: Schema | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Puts two parts of a specification together. Objects and maps are put together field by field, lists as `list-rules` says; of two other values
 * the stronger counts. In a field that the schema knows an empty text says nothing. What was given is not changed, and shared with the result.
 *
 * @param note told where each value of the result comes from, unless both say the same
 */
export function combine(stronger: Fields, weaker: Fields, schema: Schema, note: Note): Fields {
  return combineObjects(stronger, weaker, { path: 'spec', name: 'spec', schema }, note);
}

function combineObjects(stronger: Fields, weaker: Fields, place: Place, note: Note): Fields {
  const names = new Set([...Object.keys(weaker), ...Object.keys(stronger)]);
  // Not by assignment: a map may have the key __proto__.
  return Object.fromEntries([...names].map((name) => [name, combineValues(own(stronger, name, place), own(weaker, name, place), inside(place, name), note)]));
}

function combineValues(stronger: unknown, weaker: unknown, place: Place, note: Note): unknown {
  if (weaker === undefined) return told(stronger, 'stronger', place, note);
  if (stronger === undefined) return told(weaker, 'weaker', place, note);
  if (isMixed(stronger, place) && isMixed(weaker, place)) return combineObjects(stronger, weaker, place, note);
  if (isPutTogether(stronger, place) && isPutTogether(weaker, place)) return combineLists(stronger, weaker, place, note);
  if (!isDeepStrictEqual(stronger, weaker)) note({ from: 'stronger', path: place.path });
  return stronger;
}

/** The entries that only the weaker has come first: of two variables the later counts, and may refer to the earlier. */
function combineLists(stronger: readonly unknown[], weaker: readonly unknown[], place: Place, note: Note): unknown[] {
  const keyOf = entryKeyOf(place.name)!;
  const strongerKeys = new Set(stronger.map(keyOf));
  const ofWeaker = new Map(weaker.map((entry) => [keyOf(entry), entry]));
  const added = weaker.filter((entry) => !strongerKeys.has(keyOf(entry)));
  for (const entry of added) note({ from: 'weaker', path: pathOfEntry(place, keyOf(entry)) });
  for (const entry of stronger) if (!isDeepStrictEqual(ofWeaker.get(keyOf(entry)), entry)) note({ from: 'stronger', path: pathOfEntry(place, keyOf(entry)) });
  return [...added, ...stronger];
}

/** A value that only one of the two has: what is in it is told as it would be if both had it. */
function told(value: unknown, from: Origin['from'], place: Place, note: Note): unknown {
  if (isMixed(value, place) && Object.keys(value).length > 0) {
    for (const [name, item] of Object.entries(value)) told(item, from, inside(place, name), note);
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

/** A field's value; none if it is empty, as Go and Helm write one that is not set. What stands in a map can be empty on purpose. */
function own(fields: Fields, name: string, { schema }: Place): unknown {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return value === null || (value === '' && schema && propertyOf(schema, name)) ? undefined : value;
}

/** Fields follow a dot; keys of maps, which may have dots themselves, stand in brackets. */
function inside({ path, schema }: Place, name: string): Place {
  const field = schema && propertyOf(schema, name);
  if (field || !schema?.additionalProperties) return { path: `${path}.${name}`, name, schema: field };
  return { path: `${path}[${name}]`, name: '', schema: schema.additionalProperties };
}

function pathOfEntry({ path }: Place, key: string): string {
  const name = entryName(key);
  return name === undefined ? path : `${path}[${name}]`;
}
