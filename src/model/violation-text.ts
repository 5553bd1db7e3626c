import { holdsAnything, mayHoldSecret } from '../text/secret-names';
import { beginningOf } from '../text/shorten';
import type { Violation } from './problem';

/** The longest value that a sentence repeats, in characters. */
const MAX_LENGTH = 80;

/** A name that the user chose, such as that of a property. What the kind itself calls a secret or a token only refers to one. */
const OWN_NAME = /\["((?:[^"\\]|\\.)*)"\]/g;

/**
 * A violation as one sentence: the field, its value, why it is refused and what to write instead. Values that may be secrets are left out.
 * @internal
 */
export function violationText({ path, value, reason, unknown }: Violation): string {
  // A field that nobody knows is a name of the user's, too: driver.password.
  const shown = holdsAnything(path) || (unknown && mayHoldSecret(path)) || [...path.matchAll(OWN_NAME)].some(([, name]) => mayHoldSecret(name!)) ? undefined : shownValue(value);
  return `${path}${shown === undefined ? '' : ` (${shown})`} ${reason}`;
}

/** Of objects only those are shown that are made of numbers and truth values: who knows what stands in their texts. */
function shownValue(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null && Object.values(value).some((item) => typeof item !== 'number' && typeof item !== 'boolean'))) return undefined;
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${beginningOf(text, MAX_LENGTH - 3)}...` : text;
}
