import type { PatchOperation } from '../../../src/operator/admission/review';

/**
 * Applies a JSON Patch as the API server does. It throws if the path of an operation does not exist
 * (RFC 6902).
 */
export function applied<T = any>(value: unknown, patch: readonly PatchOperation[] = []): T {
  return patch.reduce((result, operation) => change(
    result, operation.path.split('/').slice(1).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')), operation,
  ), value) as T;
}

function change(value: any, [name, ...others]: readonly string[], operation: PatchOperation): unknown {
  if (name === undefined) {
    if (operation.op === 'remove') throw new Error('the whole is not removed');
    return operation.value;
  }
  if (typeof value !== 'object' || value === null) throw new Error(`${operation.path}: nothing there has fields`);
  const isList = Array.isArray(value);
  const isThere = isList ? Number(name) < value.length : Object.hasOwn(value, name);
  if (others.length > 0 || operation.op === 'replace') {
    if (!isThere) throw new Error(`${operation.path}: not there`);
    const item = change(value[name], others, operation);
    return isList ? value.with(Number(name), item) : withField(value, name, item);
  }
  if (operation.op === 'remove') {
    if (!isThere) throw new Error(`${operation.path}: not there`);
    return isList ? value.toSpliced(Number(name), 1) : Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  }
  if (isList && Number(name) > value.length) throw new Error(`${operation.path}: beyond the end`);
  return isList ? value.toSpliced(Number(name), 0, operation.value) : withField(value, name, operation.value);
}

function withField(object: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...object }, name, { value, enumerable: true, writable: true, configurable: true });
}
