/**
 * Whether two values are equal for the API server, which reads them as JSON: the order of keys does
 * not matter, and an undefined field is absent.
 */
export function areEqualAsJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b].map((value) => Object.entries(value).filter(([, item]) => item !== undefined));
  const other = b as Record<string, unknown>;
  return left!.length === right!.length && left!.every(([key, item]) => areEqualAsJson(item, other[key]));
}
