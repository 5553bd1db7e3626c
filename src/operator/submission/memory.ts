import { SubmissionError } from './errors';

/** Bytes of each unit that Spark knows (org.apache.spark.network.util.JavaUtils). */
const BYTES_PER_UNIT: { readonly [unit: string]: bigint } = {
  b: 1n,
  k: 2n ** 10n,
  kb: 2n ** 10n,
  m: 2n ** 20n,
  mb: 2n ** 20n,
  g: 2n ** 30n,
  gb: 2n ** 30n,
  t: 2n ** 40n,
  tb: 2n ** 40n,
  p: 2n ** 50n,
  pb: 2n ** 50n,
};

const MEBIBYTE = 2n ** 20n;

/**
 * The largest size that is accepted, in MiB: one exbibyte. Far beyond any machine, and far below where JavaScript's
 * or Java's integers end, so that sums cannot overflow.
 */
const MAX_MEBIBYTES = 2n ** 40n;

const REMEDY = 'write a whole number and a unit, such as 512m or 4g (not 4Gi)';

/**
 * Reads a size as Spark writes it, such as `512m`, `4g` or `1024` (MiB), in MiB. What is less than a whole MiB is dropped,
 * as in Spark (JavaUtils.byteStringAs).
 *
 * @throws SubmissionError if the text is no size, or too large
 */
export function parseMebibytes(text: string, field: string): number {
  const match = /^([0-9]+)([a-z]+)?$/.exec(text.trim().toLowerCase());
  const bytesPerUnit = match ? BYTES_PER_UNIT[match[2] ?? 'm'] : undefined;
  if (!match || bytesPerUnit === undefined) {
    throw new SubmissionError({ field, value: text, reason: 'is not a size as Spark writes it', remedy: REMEDY });
  }
  const mebibytes = BigInt(match[1]!) * bytesPerUnit / MEBIBYTE;
  if (mebibytes > MAX_MEBIBYTES) {
    throw new SubmissionError({ field, value: text, reason: 'is more memory than any machine has', remedy: REMEDY });
  }
  return Number(mebibytes);
}

/** What decides the memory outside the heap. */
export interface OverheadRule {
  /** The heap, in MiB. */
  readonly heap: number;
  /** The part of the heap that is added. */
  readonly factor: number;
  /** The least overhead, in MiB. */
  readonly minimum: number;
}

/**
 * The memory outside the heap in MiB: a part of the heap, cut to a whole number, at least the minimum
 * (BasicDriverFeatureStep).
 */
export function memoryOverhead(rule: OverheadRule): number {
  return Math.max(Math.trunc(rule.factor * rule.heap), rule.minimum);
}

/** The greatest factor that is accepted: a thousand times the heap is certainly a mistake. */
const MAX_FACTOR = 1000;

/**
 * Reads an overhead factor, such as `0.1`.
 *
 * @throws SubmissionError if the text is no decimal number, negative, or greater than 1000
 */
export function parseOverheadFactor(text: string, field: string): number {
  const factor = /^([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]+)?$/.test(text.trim()) ? Number(text) : NaN;
  if (!(factor >= 0 && factor <= MAX_FACTOR)) {
    throw new SubmissionError({ field, value: text, reason: 'is not a part of the memory', remedy: 'write a number such as 0.1' });
  }
  return factor;
}

/**
 * A factor as Java prints a double (`Double.toString`): Spark writes the default factor into the driver's properties so.
 */
export function javaDouble(value: number): string {
  if (value !== 0 && (value < 1e-3 || value >= 1e7)) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
