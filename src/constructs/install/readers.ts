import { Duration, Size } from 'cdk8s';
import { durationIn } from '../../text/duration';
import { knownFields } from '../../rules/known-fields';
import { parseQuantity } from '../../rules/quantity';
import { problemText } from '../../model/problem';
import { UsageError } from '../../text/usage-error';

/**
 * Converts a value of a values file to a prop of a construct.
 *
 * @param path path of the value, for messages
 * @throws {UsageError} with the expected value
 */
export type Reader<T = any> = (value: unknown, path: string) => T;

/** Reads a string. */
export const text: Reader<string> = (value, path) => (typeof value === 'string' ? value : refuse(path, value, 'must be a string'));

/** Reads `true` or `false`. */
export const truth: Reader<boolean> = (value, path) => (typeof value === 'boolean' ? value : refuse(path, value, 'must be true or false'));

/** Reads a number. The construct checks its range. */
export const number: Reader<number> = (value, path) => (typeof value === 'number' ? value : refuse(path, value, 'must be a number'));

/** Reads a duration in Go's format, such as `1h30m`. */
export const duration: Reader<Duration> = (value, path) => {
  const milliseconds = typeof value === 'string' ? durationIn(value) : undefined;
  return milliseconds === undefined ? refuse(path, value, 'must be a duration such as 90s, 5m or 1h30m') : Duration.millis(milliseconds);
};

const MEBIBYTE = 1_048_576n * 1_000_000_000n;

/** Reads a quantity of memory, such as `512Mi`. */
export const size: Reader<Size> = (value, path) => {
  const amount = typeof value === 'string' ? parseQuantity(value) : undefined;
  if (amount === undefined || amount <= 0n || amount % MEBIBYTE !== 0n) {
    return refuse(path, value, 'must be whole mebibytes or gibibytes, such as 512Mi or 2Gi');
  }
  return Size.mebibytes(Number(amount / MEBIBYTE));
};

/** Accepts any value: the API server checks it. */
export const any: Reader = (value) => value;

/** Reads a map of strings, such as labels. */
export const texts: Reader<Record<string, string>> = (value, path) => mapped(value, path, text);

/** Reads one of several words. */
export function choice<T extends string>(words: readonly T[]): Reader<T> {
  return (value, path) => (words.includes(value as T) ? value as T : refuse(path, value, `must be one of ${words.join(', ')}`));
}

/** Reads a list. */
export function list<T>(entry: Reader<T>): Reader<T[]> {
  return (value, path) => (Array.isArray(value)
    ? value.map((each, index) => entry(each, `${path}[${index}]`))
    : refuse(path, value, 'must be a list'));
}

/** Reads an object with known fields, some of them required. */
export function fields<T extends object>(
  readers: Readonly<Record<keyof T & string, Reader>>, required: readonly (keyof T & string)[] = [],
): Reader<T> {
  const known = Object.keys(readers);
  return (value, path) => {
    const read = mapped(value, path, (each, at, name) => {
      if (!Object.hasOwn(readers, name)) throw new UsageError(`${at} is not a property; ${knownFields(name, known)}`);
      return readers[name as keyof typeof readers](each, at);
    });
    const missing = required.find((name) => read[name] === undefined);
    if (missing !== undefined) throw new UsageError(`${path}.${missing} is required`);
    return read as T;
  };
}

/**
 * Reads the call of one of several static factory functions: its name, or an object with the name
 * and the argument.
 */
export function factory<T>(functions: Readonly<Record<string, Reader<T>>>): Reader<T> {
  const names = Object.keys(functions);
  return (value, path) => {
    const [name, argument, ...others] = typeof value === 'string'
      ? [value, undefined]
      : isObject(value)
        ? Object.entries(value).flat()
        : [];
    if (typeof name !== 'string' || !Object.hasOwn(functions, name) || others.length > 0) {
      return refuse(path, value, `must be one of ${names.join(', ')}, such as {${names[0]}: {…}}`);
    }
    try {
      return functions[name]!(argument ?? undefined, `${path}.${name}`);
    } catch (error) {
      throw error instanceof UsageError ? error : new UsageError(`${path}: ${(error as Error).message}`);
    }
  };
}

function mapped<T>(value: unknown, path: string, read: (each: unknown, path: string, name: string) => T): Record<string, T> {
  if (!isObject(value)) return refuse(path, value, 'must be an object');
  // An empty value in YAML equals a missing one.
  const given = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(given.map(([name, each]) => [name, read(each, path === '' ? name : `${path}.${name}`, name)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(path: string, value: unknown, reason: string): never {
  throw new UsageError(problemText({ path: path || 'the document', value, reason }));
}
