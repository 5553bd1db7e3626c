import { Duration, Size, SizeRoundingBehavior } from 'cdk8s';
import type { Violation } from '../model/problem';
import { violationText } from '../model/violation-text';

/**
 * Refuses arguments of a factory at once, where the user wrote them.
 * @param factory the factory as it is called, such as `RestartPolicy.onFailure`
 * @internal
 */
export function refuseArguments(factory: string, found: readonly (Violation | undefined)[]): void {
  const all = found.flatMap((violation) => violation ?? []);
  if (all.length > 0) throw new Error(`${factory}: ${all.map(violationText).join('; ')}`);
}

/**
 * Refuses props of a construct, all of them at once.
 * @internal
 */
export function refuseProps(kind: string, constructPath: string, found: readonly Violation[]): void {
  if (found.length > 0) throw new Error(`${kind} at ${constructPath} would be refused:\n${found.map((violation) => `  ${violationText(violation)}`).join('\n')}`);
}

/**
 * A whole number within bounds; what is left out is fine.
 * @internal
 */
export function wrongNumber(path: string, value: number | undefined, least: number, most = Number.MAX_SAFE_INTEGER): Violation | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return undefined;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return { path, value, reason: `must be a whole number ${bounds}` };
}

/** The greatest number of seconds that all readers of a manifest can read: Go's `time.Duration` ends after 292 years. */
const MAX_SECONDS = 9_000_000_000;

/**
 * A number of whole seconds; what is left out is fine.
 * @internal
 */
export function wrongSeconds(path: string, value: Duration | undefined, least = 1): Violation | undefined {
  if (value === undefined) return undefined;
  const amount = value.toSeconds({ integral: false });
  if (Number.isInteger(amount) && amount >= least && amount <= MAX_SECONDS) return undefined;
  return { path, value: shown(value), reason: amount > MAX_SECONDS ? `must be at most ${MAX_SECONDS} s` : `must be whole seconds, at least ${least}` };
}

/**
 * A duration as the manifest has it.
 * @internal
 */
export function seconds(value: Duration | undefined): number | undefined {
  return value?.toSeconds({ integral: false });
}

/** Such as `90 seconds`; a duration of 0 is nothing in human words. */
function shown(value: Duration): string {
  const milliseconds = value.toMilliseconds({ integral: false });
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}

const MEBIBYTES_PER_GIBIBYTE = 1024;
/** Beyond any machine, and where the operator stops reading. */
const MAX_MEBIBYTES = 2 ** 40;

/**
 * A size that Spark can be told: Spark drops what is less than a MiB (JavaUtils.byteStringAs).
 * @internal
 */
export function wrongSize(path: string, size: Size | undefined, least = 1): Violation | undefined {
  if (size === undefined) return undefined;
  const mebibytes = mebibytesOf(size);
  if (Number.isInteger(mebibytes) && mebibytes >= least && mebibytes <= MAX_MEBIBYTES) return undefined;
  return { path, value: size.asString(), reason: `must be whole MiB, at least ${least}, as Spark counts memory in MiB: write Size.mebibytes(512) or Size.gibibytes(4)` };
}

/**
 * A size as Spark writes it: `m` is a MiB, `g` a GiB.
 * @internal
 */
export function sparkSize(size: Size | undefined): string | undefined {
  if (size === undefined) return undefined;
  const mebibytes = mebibytesOf(size);
  return mebibytes > 0 && mebibytes % MEBIBYTES_PER_GIBIBYTE === 0 ? `${mebibytes / MEBIBYTES_PER_GIBIBYTE}g` : `${mebibytes}m`;
}

/**
 * A size in MiB.
 * @internal
 */
export function mebibytesOf(size: Size): number {
  // Fractions of a unit are not exact in binary numbers; what is less than a thousandth of a KiB is not meant.
  return Math.round(size.toKibibytes({ rounding: SizeRoundingBehavior.NONE }) * 1000) / 1000 / 1024;
}
