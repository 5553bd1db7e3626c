import { Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { missing, rejectArguments } from './_check';
import { placeOf } from './_foreign-constructs';
import { problemText, type Problem } from '../model/problem';
import { knownFields } from '../rules/known-fields';

/**
 * Accepted values of a prop: a check, a list or map of something, or the props of an object.
 * @internal
 */
export type PropType = Check | readonly [PropType] | MapOf | Fields;
/** @internal */
export class MapOf {
  constructor(public readonly entry: PropType) {}
}
/** Key of the types for further props, which are all accepted. @internal */
export const OTHERS = '...';
/** @internal */
export type Fields = { readonly [prop: string]: PropType };

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

/** Whether a value is an object with fields, and no Map, Size or the like, as cdk8s requires. */
const isObject = (value: any) => typeof value === 'object' && value !== null && [undefined, 'Object'].includes(value.constructor?.name);
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
export const text = check('must be a string, in quotes', (value) => typeof value === 'string');
/** @internal */
export const textOrNumber = check('must be a string or a number', (value) => ['string', 'number'].includes(typeof value));
/** @internal */
export const number = check('must be a number, without quotes', (value) => typeof value === 'number');
/** @internal */
export const truth = check('must be true or false, without quotes', (value) => typeof value === 'boolean');
/** @internal */
export const size = check('must be a Size, such as Size.gibibytes(4)', (value) => 'toKibibytes' in Object(value));
/** @internal */
export const duration = check('must be a Duration, such as Duration.minutes(5)', (value) => 'toSeconds' in Object(value));
/** @internal */
export const object = check('must be an object', isObject);
/** @internal */
export const named = check('must be an object with a name', (value) => isObject(value) && typeof value.name === 'string');
/** @internal */
export const texts = new MapOf(text);
/** @internal */
export const keys = new MapOf({ name: text, key: text });
/** @internal */
export const anything = check('', () => true);

/** Lists without which the object around them means nothing. */
const REQUIRED = ['peers', 'gateways'];

/**
 * Checks the types of all values, because a JavaScript program can pass any value.
 *
 * @param scope construct of the props, for errors
 * @returns the problems, and the props without wrong values, unknown names and undefined entries,
 * with which a construct can find its other problems
 * @throws Error for a wrong value on which other checks depend
 * @internal
 */
export function checkedProps<T extends object>(
  given: T, types: Fields, scope?: Construct,
): { readonly props: T; readonly problems: Problem[] } {
  const problems: Problem[] = [];
  const props = accepted('', given, types, (problem, type) => {
    if (type && isCheck(type) && type.isLink) throw new Error(`${scope ? `${placeOf(scope)}: ` : ''}${problemText(problem)}`);
    problems.push(problem);
  }) as T | undefined;
  return { props: props ?? {} as T, problems };
}

/** Returns the part of a value that a type accepts; undefined if there is none. */
function accepted(path: string, value: unknown, type: PropType, report: (problem: Problem, type?: PropType) => void): unknown {
  // JSON and YAML have null for what is not set.
  if (value === undefined || value === null) return undefined;
  // cdk8s knows the value at synthesis, and the manifest is checked then.
  if (value instanceof Lazy && !(isCheck(type) && type.isLink)) return value;
  const refuse = (reason: string): undefined => {
    report({ path: path || 'props', value: type instanceof MapOf ? undefined : value, reason }, type);
    return undefined;
  };
  if (Array.isArray(type)) {
    if (!Array.isArray(value)) return refuse('must be a list');
    const entries = value.map((each, index) => accepted(`${path}[${index}]`, each, type[0], report));
    return entries.filter((each) => each !== undefined);
  }
  if (type instanceof MapOf) {
    if (!isObject(value)) return refuse('must be an object such as { key: … }');
    return withoutUndefined(Object.entries(value as object).map(([key, each]) => [key, accepted(`${path}[${key}]`, each, type.entry, report)]));
  }
  if (isCheck(type)) {
    if (!type.accepts(value)) return refuse(type.reason);
    const wrong = type === object || type === named ? notOfManifest(path, value) : undefined;
    if (wrong) report(wrong);
    return wrong ? undefined : value;
  }
  if (!isObject(value)) return refuse('must be an object');
  const names = Object.keys(type);
  const prefix = path === '' ? '' : `${path}.`;
  const others = Object.entries(value as object).filter(([name, each]) => each !== undefined && !names.includes(name));
  for (const [name, each] of names.includes(OTHERS) ? [] : others) {
    report({ path: `${prefix}${name}`, value: each, reason: 'is not a prop', remedy: knownFields(name, names), unknown: true });
  }
  const absent = REQUIRED.filter((name) => names.includes(name)).map((name) => missing(`${prefix}${name}`, (value as Fields)[name])).find(Boolean);
  if (absent) {
    report(absent);
    return undefined;
  }
  const entries = withoutUndefined([
    ...(names.includes(OTHERS) ? others : []),
    ...names.map((name) => [name, accepted(`${prefix}${name}`, (value as Fields)[name], (type as Fields)[name]!, report)] as const),
  ]);
  return REQUIRED.some((name) => names.includes(name) && entries[name] === undefined) ? undefined : entries;
}

/** Returns the problem of a value in an object of Kubernetes that no manifest can have. */
function notOfManifest(path: string, value: any): Problem | undefined {
  if (['string', 'number', 'boolean', 'undefined'].includes(typeof value) || value === null) return undefined;
  if (!Array.isArray(value) && !isObject(value)) return isRendered(value) ? undefined : { path, reason: 'cannot be written to a manifest', remedy: 'write strings, numbers, true, false, lists and plain objects' };
  for (const [key, each] of Object.entries(value)) {
    const problem = notOfManifest(Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, each);
    if (problem) return problem;
  }
  return undefined;
}

/** Whether cdk8s or its imports know how to write an object, such as a Lazy or an IntOrString. */
function isRendered(value: any): boolean {
  return value instanceof Lazy || typeof value.resolve === 'function' || ['string', 'number'].includes(typeof value.value);
}

function withoutUndefined(entries: readonly (readonly [string, unknown])[]): { readonly [name: string]: unknown } {
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
}

/**
 * Whether a type is a check.
 * @internal
 */
export function isCheck(type: PropType): type is Check {
  return 'accepts' in type && typeof type.accepts === 'function';
}

/**
 * Checks the arguments of a factory, which have no default and so are all required. Options are
 * named without the argument that holds them.
 *
 * @param factory the factory as it is called, such as `RestartPolicy.onFailure`
 * @returns the arguments without undefined entries
 * @throws Error for arguments of the wrong type
 * @internal
 */
export function checkArguments<T extends object>(factory: string, given: T, types: Fields): T {
  const { props, problems } = checkedProps(given, types);
  const absent = Object.keys(types).map((name) => missing(name, given[name as keyof T]));
  rejectArguments(factory, [...absent, ...problems.map((problem) => ({ ...problem, path: problem.path.replace(/^(options|props)\./, '') }))]);
  return props;
}

/** Pods to which `pods` applies. */
const PODS = ['driver', 'server', 'executor'];

/**
 * Adds problems of the manifest to those of props. A prop is reported once, with the first: later
 * problems of it and of its parts follow from that.
 * @internal
 */
export function withoutRepetitions(ofProps: readonly Problem[], ofManifest: readonly Problem[]): Problem[] {
  const known = ofProps.flatMap(({ path }) => [path, ...PODS.map((pod) => path.replace(/^(template\.)?pods\b/, `$1${pod}`))]);
  const isKnown = (path: string) => known.some((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`));
  return [...ofProps, ...ofManifest.filter(({ path }) => !isKnown(path))];
}
