import { isObject } from '../../model/is-object';

/**
 * Fields of a manager, as in `metadata.managedFields`: a tree with `f:` before names, and `k:`
 * before the keys of list items. A leaf is an empty object; `.` marks the manager of the parent.
 */
export type FieldTree = Readonly<Record<string, unknown>>;

/** Returns the tree of one field. @param path keys of the tree */
export function treeOf(path: readonly string[]): FieldTree {
  return path.reduceRight<FieldTree>((inner, key) => ({ [key]: inner }), {});
}

/**
 * Returns the fields of a manager without one of them. Its parents are not managed any more either,
 * as removing a parent would remove the field. The same tree is returned if it lacks the field.
 *
 * @param path keys of the tree, such as `f:spec` and `f:suspend`
 */
export function withoutField(fields: FieldTree, [key, ...inner]: readonly string[]): FieldTree {
  const value = key === undefined ? undefined : fields[key];
  if (!isObject(value)) return fields;
  const { [key!]: _, '.': __, ...others } = fields;
  if (inner.length === 0) return others;
  const kept = withoutField(value, inner);
  if (kept === value) return fields;
  return Object.keys(kept).length === 0 ? others : { ...others, [key!]: kept };
}

/**
 * Removes the fields of a manager that its new manifest does not contain, as server-side apply
 * does, unless they are also of other managers.
 *
 * @param fields fields of the manager
 * @param others fields of the other managers
 */
export function withoutDropped(value: unknown, manifest: unknown, fields: FieldTree, others: readonly FieldTree[]): unknown {
  if (Array.isArray(value)) return withoutDroppedItems(value, manifest, fields, others);
  if (!isObject(value)) return value;
  const kept: Record<string, unknown> = { ...value };
  for (const [key, inner] of Object.entries(fields)) {
    const name = key.slice('f:'.length);
    if (!key.startsWith('f:') || !Object.hasOwn(kept, name)) continue;
    const theirs = subtrees(others, key);
    const isWanted = isObject(manifest) && Object.hasOwn(manifest, name);
    if (!isWanted && theirs.length === 0) delete kept[name];
    else kept[name] = withoutDropped(kept[name], isWanted ? manifest[name] : undefined, inner as FieldTree, theirs);
  }
  return kept;
}

function withoutDroppedItems(items: readonly unknown[], manifest: unknown, fields: FieldTree, others: readonly FieldTree[]): unknown[] {
  const wanted: readonly unknown[] = Array.isArray(manifest) ? manifest : [];
  return items.flatMap((item) => {
    const key = Object.keys(fields).find((each) => each.startsWith('k:') && hasKey(item, each));
    if (key === undefined) return [item];
    const ofItem = wanted.find((each) => hasKey(each, key));
    const theirs = subtrees(others, key);
    if (ofItem === undefined && theirs.length === 0) return [];
    return [withoutDropped(item, ofItem, fields[key] as FieldTree, theirs)];
  });
}

function hasKey(item: unknown, key: string): boolean {
  const wanted = JSON.parse(key.slice('k:'.length)) as object;
  return isObject(item) && Object.entries(wanted).every(([name, value]) => item[name] === value);
}

function subtrees(trees: readonly FieldTree[], key: string): FieldTree[] {
  return trees.flatMap((tree) => (isObject(tree[key]) ? [tree[key]] : []));
}
