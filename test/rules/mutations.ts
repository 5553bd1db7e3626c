import fc from 'fast-check';

/** Values that users and programs write by mistake. */
const WRONG: readonly unknown[] = [null, true, false, '', 'text', '8080', '1Gi', ' ', 0, -1, 1, 1.5, 80, 70_000, 2 ** 40, [], ['text'], [null], [1], {}, { name: 'text' }, { text: 'text' }, { text: 1 }];

/** Location in a value: keys of objects and indices of lists. */
type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  return [place, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...place, Array.isArray(value) ? Number(key) : key]))];
}

/**
 * Returns a value that differs from the given one in one place: another value, a missing or
 * misspelt field, or a repeated entry.
 */
export function mutated(value: any): fc.Arbitrary<any> {
  const places = placesIn(value).filter((place) => place.length > 0);
  return fc.record({ place: fc.constantFrom(...places), change: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'misspell', 'repeat'), wrong: fc.constantFrom(...WRONG) })
    .map(({ place, change, wrong }) => {
      const copy = structuredClone(value);
      const key = place.at(-1)!;
      const parent = place.slice(0, -1).reduce((inner, step) => inner[step], copy);
      if (Array.isArray(parent)) {
        if (change === 'remove') parent.splice(Number(key), 1);
        else if (change === 'repeat') parent.push(structuredClone(parent[Number(key)]));
        else parent[Number(key)] = wrong;
      } else if (change === 'remove' || change === 'misspell') {
        if (change === 'misspell') parent[`${String(key)[0]}${key}`] = parent[key];
        delete parent[key];
      } else {
        parent[key] = wrong;
      }
      return copy;
    });
}
