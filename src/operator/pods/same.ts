import { sameQuantity } from './quantity';

/** Maps whose values are quantities. */
const QUANTITY_MAPS = new Set(['limits', 'requests']);
/** Fields that are quantities. */
const QUANTITIES = new Set(['sizeLimit', 'divisor']);
/** Fields where `false` is the same as nothing. */
const FALSE_IS_ABSENT = new Set(['readOnly', 'optional']);
/** What the API server fills in, so that it is the same as nothing. */
const DEFAULTS: { readonly [field: string]: unknown } = { defaultMode: 0o644, volumeMode: 'Filesystem', scheme: 'HTTP' };
/** Fields where an empty object is the same as nothing; elsewhere it says something, as in `emptyDir: {}`. */
const EMPTY_IS_ABSENT = new Set(['resources', 'limits', 'requests', 'securityContext', 'nodeSelector']);

/**
 * Whether all that is wanted is there. More may be there: the API server fills in defaults, and other parties add what is theirs, between the
 * time when a container is put onto a pod and the time when it is looked at again. Lists of objects are compared without their order; quantities
 * by their amount; a port as text equals the number; what Kubernetes leaves out of its answers counts as absent.
 */
export function includes(present: unknown, wanted: unknown): boolean {
  return compare('', false, present, wanted, true);
}

/** Whether two values say the same. Lists are compared with their order. */
export function same(a: unknown, b: unknown): boolean {
  return compare('', false, a, b, false);
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
    return wanted.every(item => present.some(other => compare('', false, other, item, true)));
  }
  // The order of words, such as those of a command, always matters.
  return present.length === wanted.length && wanted.every((item, index) => compare('', false, present[index], item, orMore));
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
