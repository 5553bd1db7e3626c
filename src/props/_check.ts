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
 * Checks that a required value is there.
 * @internal
 */
export function missing(path: string, value: unknown): Problem | undefined {
  return value === undefined || value === null ? { path, reason: 'is missing' } : undefined;
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
  const amount = value.toSeconds({ integral: false });
  if (Number.isInteger(amount) && amount >= least && amount <= MAX_SECONDS) return undefined;
  return {
    path, value: shown(value),
    reason: amount > MAX_SECONDS ? `must be at most ${MAX_SECONDS} s` : `must be whole seconds, at least ${least}`,
  };
}

/**
 * Formats a duration for the manifest.
 * @internal
 */
export function seconds(value: Duration | undefined): number | undefined {
  return value?.toSeconds({ integral: false });
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
