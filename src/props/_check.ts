import { Duration, Size, SizeRoundingBehavior } from 'cdk8s';
import { problemText, type Problem } from '../model/problem';

/**
 * Throws an error for invalid arguments of a factory.
 * @param factory the factory as it is called, such as `RestartPolicy.onFailure`
 * @internal
 */
export function rejectArguments(factory: string, found: readonly (Problem | undefined)[]): void {
  const all = found.flatMap((violation) => violation ?? []);
  if (all.length > 0) throw new Error(`${factory}: ${all.map(problemText).join('; ')}`);
}

/**
 * Checks that a number is whole and within bounds; undefined is valid.
 * @internal
 */
export function wrongNumber(path: string, value: number | undefined, least: number, most = Number.MAX_SAFE_INTEGER): Problem | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return undefined;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return { path, value, reason: `must be a whole number ${bounds}` };
}

/**
 * Maximum number of seconds that all readers of a manifest accept: Go's `time.Duration` ends after
 * 292 years.
 */
const MAX_SECONDS = 9_000_000_000;

/**
 * Checks that a duration is a whole number of seconds; undefined is valid.
 * @internal
 */
export function wrongSeconds(path: string, value: Duration | undefined, least = 1): Problem | undefined {
  if (value === undefined) return undefined;
  if (!isDuration(value)) return { path, value, reason: 'must be a Duration, such as Duration.minutes(5)' };
  const amount = value.toSeconds({ integral: false });
  if (Number.isInteger(amount) && amount >= least && amount <= MAX_SECONDS) return undefined;
  return {
    path, value: shown(value),
    reason: amount > MAX_SECONDS ? `must be at most ${MAX_SECONDS} s` : `must be whole seconds, at least ${least}`,
  };
}

/**
 * Whether a value is a duration. A JavaScript program can pass any value.
 * @internal
 */
export function isDuration(value: unknown): value is Duration {
  return 'toSeconds' in Object(value);
}

/**
 * Whether a value is a size. A JavaScript program can pass any value.
 * @internal
 */
export function isSize(value: unknown): value is Size {
  return 'toKibibytes' in Object(value);
}

/**
 * Formats a duration for the manifest; undefined for a value that `wrongSeconds` rejects because it
 * is no duration.
 * @internal
 */
export function seconds(value: Duration | undefined): number | undefined {
  return isDuration(value) ? value.toSeconds({ integral: false }) : undefined;
}

/** Formats a duration, such as `90 seconds`; `toHumanString` returns an empty text for 0. */
function shown(value: Duration): string {
  const milliseconds = value.toMilliseconds({ integral: false });
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}

const MEBIBYTES_PER_GIBIBYTE = 1024;
/** Larger than any machine, and the operator's limit. */
const MAX_MEBIBYTES = 2 ** 40;

/**
 * Checks a size for Spark, which ignores fractions of a MiB (JavaUtils.byteStringAs).
 * @internal
 */
export function wrongSize(path: string, size: Size | undefined, least = 1): Problem | undefined {
  if (size === undefined) return undefined;
  if (!isSize(size)) return { path, value: size, reason: 'must be a Size, such as Size.gibibytes(4)' };
  const mebibytes = mebibytesOf(size);
  if (Number.isInteger(mebibytes) && mebibytes >= least && mebibytes <= MAX_MEBIBYTES) return undefined;
  return {
    path, value: size.asString(),
    reason: `must be whole MiB, at least ${least}, because Spark measures memory in MiB: write Size.mebibytes(512) or Size.gibibytes(4)`,
  };
}

/**
 * Formats a size for Spark: `m` is a MiB, `g` a GiB.
 * @internal
 */
export function sparkSize(size: Size | undefined): string | undefined {
  if (size === undefined) return undefined;
  const mebibytes = mebibytesOf(size);
  return mebibytes > 0 && mebibytes % MEBIBYTES_PER_GIBIBYTE === 0 ? `${mebibytes / MEBIBYTES_PER_GIBIBYTE}g` : `${mebibytes}m`;
}

/**
 * Converts a size to MiB.
 * @internal
 */
export function mebibytesOf(size: Size): number {
  // Rounded, because fractions of a unit are not exact in binary; a thousandth of a KiB is
  // irrelevant.
  return Math.round(size.toKibibytes({ rounding: SizeRoundingBehavior.NONE }) * 1000) / 1000 / 1024;
}

/**
 * Returns the specification of a value that a factory has created.
 * @throws Error for any other value, which types allow in JavaScript
 * @internal
 */
export function specOf<T>(path: string, value: { _toSpec(): T } | undefined, type: string): T | undefined {
  if (value === undefined) return undefined;
  if (!('_toSpec' in Object(value))) throw new Error(problemText({ path, value, reason: `must be a ${type}: use its static methods` }));
  return value._toSpec();
}

/**
 * Checks that a value has a class of this library; undefined is valid. A JavaScript program can
 * pass any value.
 *
 * @param method method that the class has
 * @throws Error with the name of the prop
 * @internal
 */
export function requireType(
  path: string, value: unknown, { type, method }: { readonly type: string; readonly method: string },
): void {
  if (value === undefined || method in Object(value)) return;
  throw new Error(problemText({ path, value, reason: `must be an instance of ${type}` }));
}
