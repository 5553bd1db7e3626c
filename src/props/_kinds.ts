import { rejectArguments } from './_check';
import { problemText, type Problem } from '../model/problem';
import { knownFields } from '../rules/known-fields';

/**
 * Accepted values of a prop: a check, a list of something, or the props of an object.
 * @internal
 */
export type Kind = Check | readonly [Kind] | Fields;
/** @internal */
export type Fields = { readonly [prop: string]: Kind };

/** @internal */
export interface Check {
  readonly accepts: (value: unknown) => boolean;
  /** The rest of a sentence that starts with the prop. */
  readonly reason: string;
  /** Class of the value, if the prop needs one of this package. */
  readonly type?: string;
  /** Whether checks of other props depend on the value. Then a wrong one is an error at once. */
  readonly isLink?: true;
  /** Valid values, if there are few. */
  readonly words?: readonly string[];
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @internal */
export const check = (reason: string, accepts: (value: any) => boolean): Check => ({ reason, accepts });
/** @internal */
export const instanceOf = (type: string, method: string): Check => ({
  ...check(`must be an instance of ${type}`, (value) => method in Object(value)), type,
});
/** @internal */
export const linkTo = (type: string, method: string): Check => ({ ...instanceOf(type, method), isLink: true });
/** @internal */
export const oneOf = (words: readonly string[]): Check => ({
  ...check(`must be one of ${words.join(', ')}`, (value) => words.includes(value)), words,
});

/** @internal */
export const text = check('must be a string', (value) => typeof value === 'string');
/** @internal */
export const number = check('must be a number', (value) => typeof value === 'number');
/** @internal */
export const truth = check('must be true or false', (value) => typeof value === 'boolean');
/** @internal */
export const size = check('must be a Size, such as Size.gibibytes(4)', (value) => 'toKibibytes' in Object(value));
/** @internal */
export const duration = check('must be a Duration, such as Duration.minutes(5)', (value) => 'toSeconds' in Object(value));
/** @internal */
export const object = check('must be an object', isObject);
/** @internal */
export const named = check('must be an object with a name', (value) => isObject(value) && typeof value.name === 'string');
/** @internal */
export const keys = check('must be an object with entries { name, key }', (value) => isObject(value)
  && Object.values(value).every((each) => each === undefined || isObject(each)));
/** @internal */
export const texts = check('must be an object with strings', isObject);

/** Lists without which the object around them means nothing. */
const REQUIRED = ['peers', 'gateways'];

/**
 * Checks the kinds of all values, because a JavaScript program can pass any value.
 *
 * @returns the problems, and the props without wrong values, unknown names and undefined entries,
 * with which a construct can find its other problems
 * @throws Error for a wrong value on which other checks depend
 * @internal
 */
export function checkedProps<T extends object>(given: T, kinds: Fields): { readonly props: T; readonly problems: Problem[] } {
  const problems: Problem[] = [];
  const props = accepted('', given, kinds, (problem) => problems.push(problem)) as T | undefined;
  return { props: props ?? {} as T, problems };
}

/** Returns the part of a value that a kind accepts; undefined if there is none. */
function accepted(path: string, value: unknown, kind: Kind, report: (problem: Problem) => void): unknown {
  if (value === undefined) return undefined;
  const refuse = (reason: string): undefined => {
    report({ path: path || 'props', value, reason });
    return undefined;
  };
  if (Array.isArray(kind)) {
    if (!Array.isArray(value)) return refuse('must be a list');
    const entries = value.map((each, index) => accepted(`${path}[${index}]`, each, kind[0], report));
    return entries.filter((each) => each !== undefined);
  }
  if (isCheck(kind)) {
    if (!kind.accepts(value)) {
      if (kind.isLink) throw new Error(problemText({ path, value, reason: kind.reason }));
      return refuse(kind.reason);
    }
    if (kind === keys) return Object.fromEntries(Object.entries(value as object).filter(([, each]) => each !== undefined));
    return kind === texts ? textsOf(path, value as object, report) : value;
  }
  if (!isObject(value)) return refuse('must be an object');
  const names = Object.keys(kind);
  const prefix = path === '' ? '' : `${path}.`;
  for (const [name, each] of Object.entries(value as object)) {
    if (each !== undefined && !names.includes(name)) {
      report({ path: `${prefix}${name}`, value: each, reason: 'is not a prop', remedy: knownFields(name, names), unknown: true });
    }
  }
  const missing = REQUIRED.find((name) => names.includes(name) && (value as Fields)[name] === undefined);
  if (missing !== undefined) {
    report({ path: `${prefix}${missing}`, reason: 'is required' });
    return undefined;
  }
  const entries = Object.fromEntries(names.flatMap((name) => {
    const each = accepted(`${prefix}${name}`, (value as Fields)[name], (kind as Fields)[name]!, report);
    return each === undefined ? [] : [[name, each]];
  }));
  return REQUIRED.some((name) => names.includes(name) && entries[name] === undefined) ? undefined : entries;
}

/** Returns the strings of a map. */
function textsOf(path: string, map: object, report: (problem: Problem) => void): object {
  return Object.fromEntries(Object.entries(map).filter(([key, each]) => {
    if (each !== undefined && typeof each !== 'string') report({ path: `${path}[${key}]`, value: each, reason: 'must be a string, in quotes' });
    return typeof each === 'string';
  }));
}

/**
 * Whether a kind is a check.
 * @internal
 */
export function isCheck(kind: Kind): kind is Check {
  return 'accepts' in kind;
}

/**
 * Checks the arguments of a factory, which have no default and so are all required. Options are
 * named without the argument that holds them.
 *
 * @param factory the factory as it is called, such as `RestartPolicy.onFailure`
 * @returns the arguments without undefined entries
 * @throws Error for arguments of the wrong kind
 * @internal
 */
export function checkArguments<T extends object>(factory: string, given: T, kinds: Fields): T {
  const missing = Object.keys(kinds).filter((name) => given[name as keyof T] === undefined).map((name) => ({ path: name, reason: 'is missing' }));
  const { props, problems } = checkedProps(given, kinds);
  rejectArguments(factory, [...missing, ...problems.map((problem) => ({ ...problem, path: problem.path.replace(/^(options|props)\./, '') }))]);
  return props;
}

/** Props of the pods to which `pods` applies. */
const PODS = ['driver', 'server', 'executor'];

/**
 * Adds problems of the manifest to those of props. A prop is reported once, with the first.
 * @internal
 */
export function withoutRepetitions(ofProps: readonly Problem[], ofManifest: readonly Problem[]): Problem[] {
  const known = new Set(ofProps.flatMap(({ path }) => [path, ...PODS.map((role) => path.replace(/^pods\b/, role))]));
  return [...ofProps, ...ofManifest.filter(({ path }) => !known.has(path))];
}
