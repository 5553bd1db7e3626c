import { Duration, Size } from 'cdk8s';
import { durationIn } from '../../text/duration';
import { knownFields } from '../../rules/known-fields';
import { parseQuantity } from '../../rules/quantity';
import { isObject } from '../../model/is-object';
import { problemText } from '../../model/problem';
import { block, keyText, literal } from '../../text/typescript';
import { UsageError } from '../../text/usage-error';

/** Converts a value of a values file to a prop of a construct. */
export interface Reader<T = any> {
  /**
   * @param path path of the value, for messages
   * @throws {UsageError} with the expected value
   */
  (value: unknown, path: string): T;
  /**
   * Writes a value that can be read as an expression in TypeScript.
   *
   * @default - `literal`
   */
  readonly source?: Source;
}

/** Writes a value as an expression, and adds the names that it uses to the imports. */
export type Source = (value: any, imports: Imports, indent: string) => string;

/** Names that a program imports. */
export interface Imports {
  readonly cdk8s: Set<string>;
  /** Names of this package. */
  readonly own: Set<string>;
}

/** Writes a value as an expression. */
export function sourceOf(reader: Reader, value: unknown, imports: Imports, indent: string): string {
  return reader.source ? reader.source(value, imports, indent) : literal(value, indent);
}

function withSource<T>(read: (value: unknown, path: string) => T, source: Source): Reader<T> {
  return Object.assign((value: unknown, path: string) => read(value, path), { source });
}

/** Reads a string. */
export const text: Reader<string> = (value, path) => (typeof value === 'string' ? value : refuse(path, value, 'must be a string'));

/** Reads `true` or `false`. */
export const truth: Reader<boolean> = (value, path) => (typeof value === 'boolean' ? value : refuse(path, value, 'must be true or false'));

/** Reads a number. The construct checks its range. */
export const number: Reader<number> = (value, path) => (typeof value === 'number' ? value : refuse(path, value, 'must be a number'));

/** Reads a duration in Go's format, such as `1h30m`. */
export const duration: Reader<Duration> = withSource((value, path) => {
  const milliseconds = typeof value === 'string' ? durationIn(value) : undefined;
  return milliseconds === undefined ? refuse(path, value, 'must be a duration such as 90s, 5m or 1h30m') : Duration.millis(milliseconds);
}, (value: string, { cdk8s }) => {
  cdk8s.add('Duration');
  const milliseconds = durationIn(value)!;
  const [unit, length] = DURATION_UNITS.find(([, each]) => milliseconds % each === 0) ?? ['millis', 1];
  return `Duration.${unit}(${milliseconds / length})`;
});

/** Functions of cdk8s' Duration, with the milliseconds of each. */
const DURATION_UNITS = [['days', 86_400_000], ['hours', 3_600_000], ['minutes', 60_000], ['seconds', 1000], ['millis', 1]] as const;

const MEBIBYTE = 1_048_576n * 1_000_000_000n;

/** Reads a quantity of memory, such as `512Mi`. */
export const size: Reader<Size> = withSource((value, path) => {
  const amount = typeof value === 'string' ? parseQuantity(value) : undefined;
  if (amount === undefined || amount <= 0n || amount % MEBIBYTE !== 0n) {
    return refuse(path, value, 'must be whole mebibytes or gibibytes, such as 512Mi or 2Gi');
  }
  return Size.mebibytes(Number(amount / MEBIBYTE));
}, (value: string, { cdk8s }) => {
  cdk8s.add('Size');
  const mebibytes = Number(parseQuantity(value)! / MEBIBYTE);
  return mebibytes % 1024 === 0 ? `Size.gibibytes(${mebibytes / 1024})` : `Size.mebibytes(${mebibytes})`;
});

/** Accepts any value: the API server checks it. */
export const any: Reader = (value) => value;

/** Reads a map of strings, such as labels. */
export const texts: Reader<Record<string, string>> = (value, path) => mapped(value, path, text);

/** Reads one of several words. @param enumeration its name and values, for programs */
export function choice<T extends string>(
  words: readonly T[], enumeration?: readonly [name: string, values: Readonly<Record<string, string>>],
): Reader<T> {
  const read: Reader<T> = (value, path) => (words.includes(value as T) ? value as T : refuse(path, value, `must be one of ${words.join(', ')}`));
  if (!enumeration) return read;
  const [name, values] = enumeration;
  return withSource(read, (value, { own }) => {
    own.add(name);
    return `${name}.${Object.keys(values).find((member) => values[member] === value)}`;
  });
}

/** Reads a list. */
export function list<T>(entry: Reader<T>): Reader<T[]> {
  return withSource(
    (value, path) => (Array.isArray(value)
      ? value.map((each, index) => entry(each, `${path}[${index}]`))
      : refuse(path, value, 'must be a list')),
    (value: unknown[], imports, indent) => block('[]', value.map((each) => sourceOf(entry, each, imports, `${indent}  `)), indent),
  );
}

/** Reads an object with known fields, some of them required. */
export function fields<T extends object>(
  readers: Readonly<Record<keyof T & string, Reader>>, required: readonly (keyof T & string)[] = [],
): Reader<T> {
  const known = Object.keys(readers);
  return withSource((value, path) => {
    const read = mapped(value, path, (each, at, name) => {
      if (!Object.hasOwn(readers, name)) throw new UsageError(`${at} is not a property; ${knownFields(name, known)}`);
      return readers[name as keyof typeof readers](each, at);
    });
    const missing = required.find((name) => read[name] === undefined);
    if (missing !== undefined) throw new UsageError(`${path}.${missing} is required`);
    return read as T;
  }, (value: object, imports, indent) => block('{}', given(value).map(([name, each]) => (
    `${keyText(name)}: ${sourceOf(readers[name as keyof typeof readers], each, imports, `${indent}  `)}`
  )), indent));
}

/** Static factory function of a class. */
export interface FactoryFunction<T> {
  readonly make: (argument: any) => T;
  /** @default - it has none */
  readonly argument?: Reader;
  /** Fields of the argument that the function takes one by one. @default - it takes an object */
  readonly positional?: readonly string[];
}

/**
 * Reads the call of one of several static factory functions: its name, or an object with the name
 * and the argument.
 *
 * @param type name of the class
 */
export function factory<T>(type: string, functions: Readonly<Record<string, FactoryFunction<T>>>): Reader<T> {
  const names = Object.keys(functions);
  return withSource((value, path) => {
    const [name, argument, ...others] = callIn(value);
    if (typeof name !== 'string' || !Object.hasOwn(functions, name) || others.length > 0) {
      return refuse(path, value, `must be one of ${names.join(', ')}, such as {${names[0]}: {…}}`);
    }
    const { make, argument: reader } = functions[name]!;
    try {
      return make(reader?.(argument ?? {}, `${path}.${name}`));
    } catch (error) {
      throw error instanceof UsageError ? error : new UsageError(`${path}: ${(error as Error).message}`);
    }
  }, (value, imports, indent) => {
    const [name, argument] = callIn(value);
    const { argument: reader, positional } = functions[name as string]!;
    imports.own.add(type);
    const single = reader && argument !== undefined && argument !== null ? sourceOf(reader, argument, imports, indent) : '';
    const written = positional && isObject(argument)
      ? positional.filter((each) => argument[each] !== undefined).map((each) => literal(argument[each], indent)).join(', ')
      : single;
    return `${type}.${String(name)}(${written === '{}' ? '' : written})`;
  });
}

/** Returns the name of a function and its argument. */
function callIn(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? [value, undefined] : isObject(value) ? Object.entries(value).flat() : [];
}

/** Returns the entries of an object that are set. An empty value in YAML equals a missing one. */
function given(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
}

function mapped<T>(value: unknown, path: string, read: (each: unknown, path: string, name: string) => T): Record<string, T> {
  if (!isObject(value)) return refuse(path, value, 'must be an object');
  return Object.fromEntries(given(value).map(([name, each]) => [name, read(each, path === '' ? name : `${path}.${name}`, name)]));
}

function refuse(path: string, value: unknown, reason: string): never {
  throw new UsageError(problemText({ path: path || 'the document', value, reason }));
}
