/** The path of a value: the names of fields, of keys of a map, or of an entry of a list. */
export type Path = readonly string[];

/** A specification, or a part of one; its values can be invalid. */
export interface Values {
  readonly [field: string]: unknown;
}

/** A list entry with a name. */
export interface Named extends Values {
  readonly name: string;
}

/** Whether a value is set: Go and Helm write an empty text for an unset field. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: unknown, [name, ...others]: Path): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return valueAt(value.find((entry) => entry?.name === name), others);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? valueAt((value as Values)[name], others) : undefined;
}

/** Returns the map at a path; an empty one if there is none. */
export function mapAt(spec: Values, path: Path): Values {
  return (valueAt(spec, path) ?? {}) as Values;
}

/** Returns the list at a path; an empty one if there is none. */
export function listAt(spec: Values, path: Path): readonly Named[] {
  return (valueAt(spec, path) ?? []) as readonly Named[];
}

/** Returns a specification without the values at some paths. */
export function without<T extends Values>(spec: T, paths: readonly Path[]): T {
  return paths.length === 0 ? spec : removed(spec, treeOf(paths)) as T;
}

/** The parts to remove at a place: all of it, or some by their names. */
type Removal = 'all' | Map<string, Removal>;

function treeOf(paths: readonly Path[]): Map<string, Removal> {
  const root = new Map<string, Removal>();
  for (const path of paths) {
    let node = root;
    for (const [index, name] of path.entries()) {
      const known = node.get(name);
      if (known === 'all') break;
      if (index === path.length - 1) {
        node.set(name, 'all');
        break;
      }
      const next: Map<string, Removal> = known ?? new Map();
      node.set(name, next);
      node = next;
    }
  }
  return root;
}

function removed(value: unknown, names: Map<string, Removal>): unknown {
  if (Array.isArray(value)) return value.filter((entry) => !names.has(entry?.name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const removal = names.get(key);
    if (removal === undefined) return [[key, item]];
    return removal === 'all' ? [] : [[key, removed(item, removal)]];
  }));
}
