/* Objects of many cases as one template: what is the same in all cases is written once, the rest depends on conditions. */
import { conditionFor, type Case, type Condition } from './conditions.ts';
import { insertedName, isSpread, spreadName } from './marks.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonMap = { readonly [name: string]: Json };

/** Part of a template. */
export type TemplateNode =
  | { readonly kind: 'scalar'; readonly value: null | boolean | number | string }
  | { readonly kind: 'map'; readonly entries: readonly Entry[] }
  | { readonly kind: 'list'; readonly entries: readonly Entry[] }
  /** The content of a value. */
  | { readonly kind: 'insert'; readonly name: string }
  /** The branch whose condition holds. */
  | { readonly kind: 'choice'; readonly branches: readonly { readonly when: Condition; readonly node: TemplateNode }[] };

/** Entry of a map or a list. */
export interface Entry {
  /** Key of the entry of a map. */
  readonly key?: string;
  readonly node: TemplateNode;
  /** @default - always */
  readonly when?: Condition;
  /** Whether the entries of the inserted value become entries here. */
  readonly isSpread?: boolean;
}

/** Compiles the content of all cases in which it exists. */
export function compile(contents: ReadonlyMap<Case, Json>): TemplateNode {
  const all = [...contents.values()];
  const [first] = all;
  const text = contents.size > 1 ? JSON.stringify(first) : undefined;
  if (text !== undefined && all.every((each) => JSON.stringify(each) === text)) return compile(new Map([[[...contents.keys()][0]!, first!]]));
  if (all.every(isPlainMap)) return compileMap(contents as ReadonlyMap<Case, JsonMap>);
  if (all.every((each) => Array.isArray(each))) {
    const list = compileList(contents as ReadonlyMap<Case, readonly Json[]>);
    if (list) return list;
  }
  if (contents.size === 1) return compileOne(first!);
  const branches = new Map<string, Map<Case, Json>>();
  for (const [each, content] of contents) {
    const key = JSON.stringify(content);
    branches.set(key, (branches.get(key) ?? new Map<Case, Json>()).set(each, content));
  }
  const universe = [...contents.keys()];
  if (branches.size === 1) return compileOne(first!);
  return {
    kind: 'choice',
    branches: [...branches.values()].map((branch) => ({ when: conditionFor(universe, new Set(branch.keys()))!, node: compile(branch) })),
  };
}

function compileOne(content: Json): TemplateNode {
  if (typeof content === 'object' && content !== null) return { kind: 'insert', name: insertedName(content as JsonMap)! };
  return { kind: 'scalar', value: content };
}

function isPlainMap(content: Json): content is JsonMap {
  return typeof content === 'object' && content !== null && !Array.isArray(content) && insertedName(content as JsonMap) === undefined;
}

function compileMap(contents: ReadonlyMap<Case, JsonMap>): TemplateNode {
  const keys = merged([...contents.values()].map((each) => Object.keys(each))) ?? [...new Set([...contents.values()].flatMap((each) => Object.keys(each)))];
  return { kind: 'map', entries: keys.map((key) => ({ key, ...entryOf(contents, (map) => (Object.hasOwn(map, key) ? map[key] : undefined), key) })) };
}

/** Returns undefined if the orders of the cases contradict each other. */
function compileList(contents: ReadonlyMap<Case, readonly Json[]>): TemplateNode | undefined {
  const ids = new Map([...contents].map(([each, list]) => [each, identities(list)] as const));
  const order = merged([...ids.values()]);
  if (!order) return undefined;
  return {
    kind: 'list',
    entries: order.map((id) => {
      const values = new Map([...contents].map(([each, list]) => [each, list[ids.get(each)!.indexOf(id)]] as const).filter(([, value]) => value !== undefined));
      return entryIn([...contents.keys()], values as ReadonlyMap<Case, Json>);
    }),
  };
}

function entryOf<T>(contents: ReadonlyMap<Case, T>, read: (content: T) => Json | undefined, key: string): Omit<Entry, 'key'> {
  const values = new Map([...contents].map(([each, content]) => [each, read(content)] as const).filter(([, value]) => value !== undefined));
  const entry = entryIn([...contents.keys()], values as ReadonlyMap<Case, Json>);
  return isSpread(key) ? { ...entry, node: { kind: 'insert', name: spreadName(key) }, isSpread: true } : entry;
}

function entryIn(universe: readonly Case[], values: ReadonlyMap<Case, Json>): Entry {
  const when = conditionFor(universe, new Set(values.keys()));
  const [value] = values.values();
  const condition = when ? { when } : {};
  if (typeof value === 'string' && isSpread(value)) return { node: { kind: 'insert', name: spreadName(value) }, isSpread: true, ...condition };
  return { node: compile(values), ...condition };
}

/** Returns what makes an entry of a list the same in several cases: the name of a flag or an object, otherwise all of it. */
function identities(list: readonly Json[]): string[] {
  const seen = new Map<string, number>();
  return list.map((entry) => {
    const id = identity(entry);
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return `${id}#${count}`;
  });
}

function identity(entry: Json): string {
  if (typeof entry === 'string') return /^--[^=]+(?==)/.exec(entry)?.[0] ?? entry;
  const { kind, name, metadata } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, Json>;
  if (typeof metadata === 'object' && metadata !== null) {
    const { name: own, namespace = '' } = metadata as Record<string, Json>;
    return JSON.stringify([kind, namespace, own]);
  }
  return typeof name === 'string' ? JSON.stringify([kind ?? '', name]) : JSON.stringify(entry);
}

/** Merges sequences into one that contains all of them in their order; undefined if there is none. */
function merged(sequences: readonly (readonly string[])[]): string[] | undefined {
  const followers = new Map<string, Set<string>>();
  for (const sequence of sequences) {
    for (const [index, id] of sequence.entries()) {
      const own = followers.get(id) ?? new Set<string>();
      followers.set(id, own);
      const next = sequence[index + 1];
      if (next !== undefined) own.add(next);
    }
  }
  const result: string[] = [];
  const remaining = new Set(followers.keys());
  while (remaining.size > 0) {
    const blocked = new Set([...remaining].flatMap((id) => [...followers.get(id)!].filter((each) => remaining.has(each))));
    const next = [...remaining].find((id) => !blocked.has(id));
    if (next === undefined) return undefined;
    result.push(next);
    remaining.delete(next);
  }
  return result;
}
