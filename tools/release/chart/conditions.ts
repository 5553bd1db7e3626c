/** Values of the dimensions by name, such as `{ webhook: 'on', scope: 'all' }`. */
export type Case = Readonly<Record<string, string>>;

/** Dimensions with their possible values. */
export type Dimensions = Readonly<Record<string, readonly string[]>>;

/** A conjunction: each of the dimensions has one of the values. */
export type Box = Readonly<Record<string, readonly string[]>>;

/** A disjunction of conjunctions. */
export type Condition = readonly Box[];

/** Whether a condition holds in a case. */
export function holds(condition: Condition, { ...values }: Case): boolean {
  return condition.some((box) => Object.entries(box).every(([dimension, allowed]) => allowed.includes(values[dimension]!)));
}

/**
 * Returns a short condition that holds in the cases of a subset of a universe, and in no other case
 * of it; undefined if the subset is the universe.
 */
export function conditionFor(universe: readonly Case[], subset: ReadonlySet<Case>): Condition | undefined {
  if (universe.every((each) => subset.has(each))) return undefined;
  const relevant = Object.keys(universe[0]!).filter((dimension) => isRelevant(universe, subset, dimension));
  const projected = new Map<string, { readonly values: Case; readonly isMember: boolean }>();
  for (const each of universe) {
    const values = Object.fromEntries(relevant.map((dimension) => [dimension, each[dimension]!]));
    const [key, isMember] = [JSON.stringify(values), subset.has(each)];
    // Dimensions of an incomplete universe can be relevant only together.
    if ((projected.get(key)?.isMember ?? isMember) !== isMember) return cover(universe, subset);
    projected.set(key, { values, isMember });
  }
  const all = [...projected.values()];
  return cover(all.map(({ values }) => values), new Set(all.filter(({ isMember }) => isMember).map(({ values }) => values)));
}

/** Whether two cases that only differ in a dimension differ in their membership. */
function isRelevant(universe: readonly Case[], subset: ReadonlySet<Case>, dimension: string): boolean {
  const seen = new Map<string, boolean>();
  return universe.some((each) => {
    const { [dimension]: _, ...others } = each;
    const [key, isMember] = [JSON.stringify(others), subset.has(each)];
    const other = seen.get(key) ?? isMember;
    seen.set(key, isMember);
    return other !== isMember;
  });
}

function cover(universe: readonly Case[], subset: ReadonlySet<Case>): Condition {
  const members = universe.filter((each) => subset.has(each));
  if (members.length === 0) return [];
  const box = smallestBox(universe, members);
  if (universe.every((each) => subset.has(each) || !holds([box], each))) return [shortened(universe, subset, box)];
  // No single box: one for each value of the dimension that needs the fewest.
  const splits = Object.keys(members[0]!).map((dimension) => {
    const values = [...new Set(members.map((each) => each[dimension]!))];
    if (values.length < 2) return undefined;
    return values.flatMap((value) => cover(universe, new Set(members.filter((each) => each[dimension] === value))));
  }).filter((each) => each !== undefined);
  return splits.sort((a, b) => a.length - b.length)[0]!;
}

function smallestBox(universe: readonly Case[], members: readonly Case[]): Box {
  return Object.fromEntries(Object.keys(members[0]!).flatMap((dimension) => {
    const values = [...new Set(members.map((each) => each[dimension]!))];
    const all = new Set(universe.map((each) => each[dimension]!));
    return values.length < all.size ? [[dimension, values]] : [];
  }));
}

/** Removes dimensions without which the condition is the same. */
function shortened(universe: readonly Case[], subset: ReadonlySet<Case>, box: Box): Box {
  for (const dimension of Object.keys(box)) {
    const { [dimension]: _, ...others } = box;
    if (universe.every((each) => subset.has(each) || !holds([others], each))) return shortened(universe, subset, others);
  }
  return box;
}
