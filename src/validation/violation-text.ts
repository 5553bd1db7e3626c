import type { Violation } from './validate';

/** The longest value that a sentence repeats, in characters. */
const MAX_LENGTH = 80;

/** Fields whose values people keep secrets in: variables whatever their names, properties with the names that Spark redacts (`spark.redaction.regex`). */
const MAY_BE_SECRET = /\.env\[|\.envVars\[|\[".*(secret|password|token|access[.]?key).*"\]/i;

/**
 * A violation as one sentence: the field, its value, why it is refused and what to write instead. Values that may be secrets are left out.
 * @internal
 */
export function violationText({ path, value, reason }: Violation): string {
  const shown = MAY_BE_SECRET.test(path) ? undefined : shownValue(value);
  return `${path}${shown === undefined ? '' : ` (${shown})`} ${reason}`;
}

/** Of objects only those are shown that are made of numbers and truth values: who knows what stands in their texts. */
function shownValue(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null && Object.values(value).some((item) => typeof item !== 'number' && typeof item !== 'boolean'))) return undefined;
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 3)}...` : text;
}
