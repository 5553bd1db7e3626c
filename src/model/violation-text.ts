import { holdsAnything, mayHoldSecret } from '../text/secret-names';
import { beginningOf } from '../text/shorten';
import type { Violation } from './problem';

/** Maximum length in characters of a value in a message. */
const MAX_LENGTH = 80;

/**
 * A name that the user chose, such as that of a property. Fields of the kind with `secret` or
 * `token` in their names only refer to one.
 */
const OWN_NAME = /\["((?:[^"\\]|\\.)*)"\]/g;

/**
 * Returns a violation as one sentence: the field, its value, the reason and the remedy. It omits
 * values that can be secrets.
 * @internal
 */
export function violationText({ path, value, reason, unknown }: Violation): string {
  // The name of an unknown field is also chosen by the user, for example driver.password.
  const isSecret = holdsAnything(path)
    || (unknown && mayHoldSecret(path))
    || [...path.matchAll(OWN_NAME)].some(([, name]) => mayHoldSecret(name!));
  const shown = isSecret ? undefined : shownValue(value);
  return `${path}${shown === undefined ? '' : ` (${shown})`} ${reason}`;
}

/**
 * Returns the value to show. Objects with other values than numbers and booleans are omitted, as
 * their texts can contain secrets.
 */
function shownValue(value: unknown): string | undefined {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  if (value === undefined || inner.some((item) => typeof item !== 'number' && typeof item !== 'boolean')) return undefined;
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${beginningOf(text, MAX_LENGTH - 3)}...` : text;
}
