import { withoutSecrets } from '../text/redaction';
import { holdsAnything, mayHoldSecret } from '../text/secret-names';
import { beginningOf } from '../text/shorten';

/**
 * Severity of a problem. `error`: the API server or the operator rejects the object.
 * `ineffective`: a field does not have the effect that it seems to have, or its value is a secret
 * that all readers of the object can see. Synthesis rejects it, the others warn, as
 * kubeflow/spark-operator runs such applications. `warning`: another value
 * replaces the field, or an operator with other settings might reject it.
 * @internal
 */
export type Severity = 'error' | 'ineffective' | 'warning';

/**
 * A problem at one place of an object.
 * @internal
 */
export interface Problem {
  /** Path of the field, such as `spec.driver.memory` or `spec.sparkConf[spark.master]`. */
  readonly path: string;
  /** The value found there; undefined when it is missing. `problemText` omits secrets. */
  readonly value?: unknown;
  /** The rest of a sentence that starts with the field: `is not …`, `must be …`. */
  readonly reason: string;
  /** The remedy as an imperative, such as `write …`, unless the reason contains it. */
  readonly remedy?: string;
  /** @default 'error' */
  readonly severity?: Severity;
  /** The schema does not know the field; the API server drops it. */
  readonly unknown?: true;
}

/** Maximum length of a value in a message, in characters. */
const MAX_VALUE_LENGTH = 120;

/** Maximum length of a path in a message; keys of maps can have any length. */
const MAX_PATH_LENGTH = 300;

/** Maximum length of a message, in characters: it becomes part of the status. */
const MAX_MESSAGE_LENGTH = 8_192;

/** Maximum length of the beginning of a value that is searched for secrets. */
const MAX_SEARCHED = 8 * MAX_VALUE_LENGTH;

/**
 * Returns a problem as one sentence: the field, its value, the reason and the remedy. It omits
 * values that can be secrets.
 * @internal
 */
export function problemText({ path, value, reason, remedy, unknown }: Problem): string {
  const shown = mayBeSecret(path, unknown) ? undefined : shownValue(value);
  const subject = shown === undefined ? cut(path, MAX_PATH_LENGTH) : `${cut(path, MAX_PATH_LENGTH)} = ${shown}`;
  return cut(`${subject} ${reason}${remedy === undefined ? '' : `; ${remedy}`}`, MAX_MESSAGE_LENGTH);
}

/** Whether the API server or the operator rejects an object for a problem. @internal */
export function isError({ severity = 'error' }: Problem): boolean {
  return severity === 'error';
}

/** Whether synthesis rejects a problem: an error, or a field without effect. @internal */
export function isRejectedAtSynth({ severity = 'error' }: Problem): boolean {
  return severity !== 'warning';
}

/** Returns a text as a message shows it: without secrets, and cut. @internal */
export function presentable(text: string): string {
  return cut(withoutSecrets(text, MAX_SEARCHED), MAX_VALUE_LENGTH);
}

/**
 * Whether the value of a field can be a secret. Users choose the names of keys and of unknown
 * fields; a property can also be a path. Known fields with `secret` or `token` in their names only
 * refer to one.
 * @internal
 */
export function mayBeSecret(path: string, unknown?: boolean): boolean {
  const [, keys] = /\[(.*)\]/s.exec(path) ?? [];
  return holdsAnything(path) || ((unknown === true || path.startsWith('spark.')) && mayHoldSecret(path))
    || (keys !== undefined && mayHoldSecret(keys));
}

/**
 * Returns the value to show. Objects with other values than numbers and booleans are omitted, as
 * their texts can contain secrets.
 */
function shownValue(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(presentable(value));
  if (typeof value === 'bigint' || typeof value === 'symbol') return cut(String(value), MAX_VALUE_LENGTH);
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  if (value === undefined || typeof value === 'function' || inner.some((item) => typeof item !== 'number' && typeof item !== 'boolean')) return undefined;
  return cut(JSON.stringify(value), MAX_VALUE_LENGTH);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${beginningOf(text, length)}…`;
}

/** Returns the problem of a value that another field replaces. @internal */
export function overridden(path: string, by: string): Problem {
  return { path, reason: `is overridden by ${by}`, severity: 'warning' };
}

/** Returns the problem of a field without effect. @internal */
export function withoutEffect(path: string, why: string): Problem {
  return { path, reason: `has no effect${why}`, severity: 'ineffective' };
}

/** Returns the problem of an object that contains the specification elsewhere. @internal */
export function moved(problem: Problem, rename: (text: string) => string): Problem {
  const { path, reason, remedy } = problem;
  return { ...problem, path: rename(path), reason: rename(reason), ...(remedy !== undefined && { remedy: rename(remedy) }) };
}
