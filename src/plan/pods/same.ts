import { parseQuantity, sameQuantity } from './quantity';

/** Maps whose values are quantities. */
const QUANTITY_MAPS = new Set(['limits', 'requests']);
/** Fields with quantities. */
const QUANTITIES = new Set(['sizeLimit', 'divisor']);
/** Fields where `false` is equal to absent. */
const FALSE_IS_ABSENT = new Set(['readOnly', 'optional']);
/** Defaults of the API server, which are equal to absent. */
const DEFAULTS: { readonly [field: string]: unknown } = { defaultMode: 0o644, volumeMode: 'Filesystem', scheme: 'HTTP' };
/**
 * Fields where an empty object is equal to absent. In other fields it has a meaning, as in
 * `emptyDir: {}`.
 */
const EMPTY_IS_ABSENT = new Set(['resources', 'limits', 'requests', 'securityContext', 'nodeSelector']);

/**
 * Whether the present value contains the wanted one. It can contain more: after a container was
 * added to a pod, the API server adds defaults, and other controllers add content.
 *
 * Lists of objects are compared without their order, and quantities by amount. A port as a string
 * equals its number. Values that Kubernetes omits from its responses are equal to absent.
 */
export function includes(present: unknown, wanted: unknown): boolean {
  return compare('', false, present, wanted, true);
}

/** Whether two values are semantically equal. Lists are compared with their order. */
export function same(a: unknown, b: unknown): boolean {
  return compare('', false, a, b, false);
}

/**
 * Returns a text that is the same for semantically equal values, for use as a key of a Map.
 * Different values can have the same text.
 */
export function sameText(value: unknown): string {
  return textOf('', false, value) ?? '';
}

/** Returns undefined for absent values, and for values that are equal to absent. */
function textOf(key: string, isQuantity: boolean, value: unknown): string | undefined {
  if (isAbsent(key, value)) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return `[${value.map(item => textOf('', false, item) ?? '').join()}]`;
  }
  if (typeof value === 'object') {
    const texts = Object.entries(value as Fields).flatMap(([name, inner]) => {
      const text = textOf(name, QUANTITY_MAPS.has(key) || QUANTITIES.has(name), inner);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    return texts.length === 0 && EMPTY_IS_ABSENT.has(key) ? undefined : `{${texts.sort().join()}}`;
  }
  return JSON.stringify(isQuantity ? parseQuantity(String(value))?.toString() ?? String(value) : String(value));
}

function compare(key: string, isQuantity: boolean, present: unknown, wanted: unknown, orMore: boolean): boolean {
  if (isAbsent(key, wanted)) {
    return orMore || isAbsent(key, present);
  }
  if (Array.isArray(wanted)) {
    return Array.isArray(present) && compareLists(present, wanted, orMore);
  }
  if (typeof wanted === 'object') {
    return typeof present === 'object' && present !== null && !Array.isArray(present)
      && compareObjects(key, present as Fields, wanted as Fields, orMore);
  }
  if (isAbsent(key, present) || typeof present === 'object') {
    return false;
  }
  return String(present) === String(wanted) || (isQuantity && sameQuantity(String(present), String(wanted)));
}

interface Fields { readonly [name: string]: unknown }

function compareObjects(key: string, present: Fields, wanted: Fields, orMore: boolean): boolean {
  const names = orMore ? Object.keys(wanted) : [...new Set([...Object.keys(wanted), ...Object.keys(present)])];
  return names.every(name => compare(name, QUANTITY_MAPS.has(key) || QUANTITIES.has(name), present[name], wanted[name], orMore));
}

function compareLists(present: readonly unknown[], wanted: readonly unknown[], orMore: boolean): boolean {
  if (orMore && wanted.every(item => typeof item === 'object')) {
    const candidates = candidatesAmong(present);
    return wanted.every(item => candidates(item).some(other => compare('', false, other, item, true)));
  }
  // The order of strings, such as those of a command, always matters.
  return present.length === wanted.length && wanted.every((item, index) => compare('', false, present[index], item, orMore));
}

/** Maximum length of a list that is searched without an index. */
const FEW = 8;

/**
 * Returns a function that returns the items of a list that might contain an item. It uses the
 * scalar of the item that occurs in the fewest items of the list.
 */
function candidatesAmong(present: readonly unknown[]): (item: unknown) => readonly unknown[] {
  if (present.length <= FEW) {
    return () => present;
  }
  const having = new Map<string, unknown[]>();
  for (const other of present) {
    for (const scalar of scalarsOf(other)) {
      push(having, scalar, other);
    }
  }
  return item => scalarsOf(item).map(scalar => having.get(scalar) ?? []).reduce<readonly unknown[]>(
    (least, some) => (some.length < least.length ? some : least), present,
  );
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) {
    list.push(item);
  } else {
    lists.set(key, [item]);
  }
}

/**
 * Returns strings, numbers and booleans with their paths, without those that have several forms.
 */
function scalarsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (isAbsent(name, inner) || QUANTITIES.has(name) || QUANTITY_MAPS.has(name)) {
      return [];
    }
    const place = `${path}${JSON.stringify(name)}`;
    return typeof inner === 'object' ? scalarsOf(inner, place) : [`${place}=${String(inner)}`];
  });
}

function isAbsent(key: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') {
    return true;
  }
  if (typeof value === 'object') {
    return Array.isArray(value) ? value.length === 0 : EMPTY_IS_ABSENT.has(key) && Object.keys(value).length === 0;
  }
  return (value === false && FALSE_IS_ABSENT.has(key)) || (Object.hasOwn(DEFAULTS, key) && value === DEFAULTS[key]);
}
